from pathlib import Path

import numpy as np
import pytest

from attention.soft import SoftModelError, SoftTransformer
from attention.soft_encodings import LearnedEncoding
from attention.soft_forward import embed, forward
from attention.soft_torch import (
    TorchModelError,
    from_encoder,
    from_state_dict,
    load_checkpoint,
)

torch = pytest.importorskip("torch")


def _encoder(*, norm_first: bool = False, activation: str = "relu") -> object:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, activation=activation, batch_first=True, norm_first=norm_first,
        dtype=torch.float64,
    )  # fmt: skip
    norm = torch.nn.LayerNorm(12, dtype=torch.float64) if norm_first else None
    encoder = torch.nn.TransformerEncoder(layer, 3, norm, enable_nested_tensor=False)
    for weight in encoder.parameters():  # all layers start as copies
        weight.data.add_(0.1 * torch.randn_like(weight))
    return encoder.eval()


@pytest.mark.parametrize("norm_first", [False, True])
def test_equal_to_pytorch_to_1e12(norm_first: bool) -> None:
    encoder = _encoder(norm_first=norm_first)
    rng = np.random.default_rng(0)
    embedding, places = rng.standard_normal((2, 12)), rng.standard_normal((40, 12))
    model = from_encoder(
        encoder, alphabet=("0", "1"), embedding=embedding, encoding=LearnedEncoding(places)
    )
    word = rng.integers(0, 2, (3, 40))
    x = embed(model, word)
    with torch.no_grad():
        want = encoder(torch.from_numpy(x)).numpy()  # type: ignore[operator]
    np.testing.assert_allclose(forward(model, x)[-1], want, rtol=0, atol=1e-12)
    swapped = forward(model, x[:, ::-1])[-1][:, ::-1]
    assert np.abs(swapped - want).max() < 1e-12  # attention alone does not see order


def test_a_saved_model_is_read_back(tmp_path: Path) -> None:
    class Reader(torch.nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(2, 12)
            self.position = torch.nn.Embedding(16, 12)
            self.encoder = _encoder().float()  # type: ignore[attr-defined]
            self.output = torch.nn.Linear(12, 1)

    reader = Reader()
    torch.save(reader.state_dict(), tmp_path / "m.pt")
    model = load_checkpoint(tmp_path / "m.pt", heads=3, alphabet=("0", "1"))
    assert isinstance(model, SoftTransformer)
    assert model.output is not None
    assert model.output.shape == (12, 1)
    assert isinstance(model.encoding, LearnedEncoding)
    word = model.indices("0110")
    with torch.no_grad():
        x = reader.embedding(torch.from_numpy(word)) + reader.position(torch.arange(4))
        want = reader.output(reader.encoder(x[None]))[0, -1].numpy()
    got = forward(model, embed(model, word[None]))[-1][0, -1] @ model.output + model.output_bias
    np.testing.assert_allclose(got, want, atol=1e-5)


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(TorchModelError, match="only ReLU"):
        from_encoder(_encoder(activation="gelu"), alphabet=("0", "1"), embedding=np.zeros((2, 12)))
    with pytest.raises(TorchModelError, match="does not divide"):
        from_state_dict(
            _encoder().state_dict(),  # type: ignore[attr-defined]
            heads=5, alphabet=("0", "1"), embedding=np.zeros((2, 12)),
        )  # fmt: skip
    with pytest.raises(TorchModelError, match="no such file"):
        load_checkpoint(tmp_path / "none.pt", heads=1, alphabet=("0", "1"))
    (tmp_path / "junk.pt").write_bytes(b"junk")
    with pytest.raises(TorchModelError, match="not a file saved"):
        load_checkpoint(tmp_path / "junk.pt", heads=1, alphabet=("0", "1"))
    broken = _encoder()
    with torch.no_grad():
        next(iter(broken.parameters()))[0, 0] = float("nan")  # type: ignore[attr-defined]
    with pytest.raises(SoftModelError, match="NaN"):
        from_encoder(broken, alphabet=("0", "1"), embedding=np.zeros((2, 12)))
