"""Train a small softmax encoder, read it with argmax attention, reduce it, fool it, check that.

Run ``python examples/restrictions_trained_encoder.py [length]``; it needs torch (the extra
``train``) and takes some ten CPU seconds at length 16 and ninety at length 256.  The model read
with argmax is another function than the trained one, so both accuracies are printed.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from attention.hard import evaluate_batch
from attention.torch_encoder import from_state_dict
from languages import language
from restrictions.certificate import certificate, verify_file, write
from restrictions.fooling import FoolingPair, fool
from restrictions.reduction import reduce_layers

WIDTH, HEADS, LAYERS, STEPS = 16, 2, 2, 120
DYCK = language("dyck1")


def draw(n: int, size: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return words as symbol indices, every second one a member, and their membership."""
    member = np.arange(size) % 2 == 1
    words = [DYCK.sample(n, member=bool(m), rng=rng) for m in member]
    return np.array([[DYCK.alphabet.index(s) for s in w] for w in words], np.uint8), member


def main() -> None:
    """Run the whole path on 1DYCK."""
    import torch

    n = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    layer = torch.nn.TransformerEncoderLayer(
        WIDTH, HEADS, 2 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
    )
    encoder = torch.nn.TransformerEncoder(
        layer, LAYERS, norm=torch.nn.LayerNorm(WIDTH), enable_nested_tensor=False
    )
    embedding, readout = torch.nn.Embedding(2, WIDTH), torch.nn.Linear(WIDTH, 1)
    angle = np.arange(n)[:, None] / 10000.0 ** (2 * np.arange(WIDTH // 2) / WIDTH)
    positions = torch.tensor(np.concatenate([np.sin(angle), np.cos(angle)], 1), dtype=torch.float32)

    def logits(words: Any) -> Any:
        hidden = encoder(embedding(torch.tensor(words.astype(np.int64))) + positions)
        return readout(hidden[:, -1])[:, 0]

    parts = (encoder, embedding, readout)
    optimiser = torch.optim.Adam([p for part in parts for p in part.parameters()], lr=3e-3)
    for _ in range(STEPS):
        words, member = draw(n, max(8, 1024 // n), rng)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            logits(words), torch.tensor(member, dtype=torch.float32)
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    model = from_state_dict(
        encoder.state_dict(),
        heads=HEADS,
        alphabet=DYCK.alphabet,
        embedding=embedding.weight,
        positions=positions,
        weights=readout.weight[0],
        bias=readout.bias.item(),
        norm_first=True,
    )
    words, member = draw(n, 100, rng)
    with torch.no_grad():
        soft = float(((logits(words) > 0).numpy() == member).mean())
    hard = float((evaluate_batch(model, words) == member).mean())
    print(f"accuracy on 1DYCK at n = {n}: softmax {soft:.0%}, argmax {hard:.0%}")

    for step in reduce_layers(model, k=2, rng=rng).steps:
        print(step.text())
    pair = fool(model, DYCK, seconds=3, rng=rng)
    if not isinstance(pair, FoolingPair) or pair.subcube is None:
        print("no certified subcube within the budget")
        return
    rho = pair.subcube.restriction
    print(f"certified: with {n - rho.dimension} of {n} inputs fixed it answers {pair.output}")
    print("  member:    ", "".join(map(str, pair.first)))
    print("  non-member:", "".join(map(str, pair.second)))
    witness = {
        "first": list(pair.first),
        "second": list(pair.second),
        "output": pair.output,
        "same_activation": pair.same_activation,
    }
    data = certificate(model, rho, {"output": pair.output}, witness=witness, language=DYCK)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        write(data, path)
        print("checked:", verify_file(path))


if __name__ == "__main__":
    main()
