"""A compiled model as a PyTorch module: batched, padded, causal or not, every part by name.

The module needs PyTorch only; its parameters have the names of :mod:`rasp.weights.tensors`.  It
makes the same operations as :class:`rasp.weights.floating.FloatModel`, so the bounds of
:mod:`rasp.weights.bounds` hold for it.

Main definitions: :func:`torch_module`, :func:`run_module`, :func:`model_of_module`,
:func:`save_program`.

References
----------
Vaswani et al. (2017), Section 3 [vaswani2017].
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rasp.weights.extras import needed
from rasp.weights.matrix import Floats, Indexes
from rasp.weights.model import CompiledModel
from rasp.weights.padded import Patterns, Stages, run_padded
from rasp.weights.runs import Run
from rasp.weights.tensors import export_description, from_tensors, to_tensors


def torch_module(model: CompiledModel, dtype: str = "float32", *, gap: float | None = None) -> Any:
    """Return a ``torch.nn.Module`` that computes what the model computes.

    ``module(ids)`` takes int64 ids (words, rows), with BOS first if the model has it and PAD at
    the end of short words, and returns a dictionary from output name to (words, rows, values):
    logits, or the number itself.  ``module.trace(ids)`` returns the last residual rows, the
    softmax per head name, and the rows per stage.

    Parameters
    ----------
    model
        Any compiled model.
    dtype
        ``float32`` or ``float64``.
    gap
        As for :class:`rasp.weights.floating.FloatModel`.

    Raises
    ------
    MalformedModelError
        If PyTorch is not installed, or for another dtype or gap.
    """
    torch = needed("torch")
    tensors = {
        name: torch.tensor(array) for name, array in to_tensors(model, dtype, gap=gap).items()
    }
    return _module_class()(tensors, export_description(model, dtype, gap=gap))


def run_module(
    model: CompiledModel,
    module: Any,
    words: Sequence[Sequence[Any]],
    *,
    returns: Sequence[str] = ("outputs",),
) -> Run:
    """Run a module of :func:`torch_module`; as :func:`rasp.weights.run.run`."""
    torch = needed("torch")

    def forward(ids: Indexes, patterns: Patterns, stages: Stages) -> Floats:
        with torch.no_grad():
            last, found, rows = module.trace(torch.from_numpy(ids))
        if patterns is not None:
            patterns.update({name: weights.numpy() for name, weights in found.items()})
        if stages is not None:
            stages.extend(x.numpy() for x in rows)
        result: Floats = last.numpy()
        return result

    return run_padded(model, forward, words, returns=returns)


def model_of_module(module: Any) -> CompiledModel:
    """Return the compiled model whose weights are exactly those of the module.

    Raises
    ------
    MalformedModelError
        If the module's parts do not fit together, as after training single tensors.
    """
    state = {name: tensor.detach().cpu().numpy() for name, tensor in module.state_dict().items()}
    return from_tensors(module.description, state)


def save_program(model: CompiledModel, path: str | Path, dtype: str = "float32") -> None:
    """Write a program that ``torch.export.load(path).module()`` runs, with PyTorch alone.

    Batch size and number of rows are free, up to the model's length.
    """
    torch = needed("torch")
    module = torch_module(model, dtype)
    rows = model.length + model.bos
    free: dict[int, Any] = {0: torch.export.Dim("words", max=2**31 - 1)}
    if rows > 2:
        free[1] = torch.export.Dim("rows", max=rows)
    example = torch.full((3, min(rows, 3)), 0, dtype=torch.int64)
    program = torch.export.export(module, (example,), dynamic_shapes=(free,))
    torch.export.save(program, str(path))


@lru_cache(maxsize=1)
def _module_class() -> Any:
    """Return the class of the module; made on first use, because PyTorch may be missing."""
    torch = needed("torch")

    class CompiledModule(torch.nn.Module):  # type: ignore[misc, name-defined]
        """See :func:`torch_module`."""

        def __init__(self, tensors: Mapping[str, Any], description: Mapping[str, Any]) -> None:
            super().__init__()
            self.description = dict(description)
            self.pad, self.causal = description["vocabulary"]["pad"], description["causal"]
            self.output_names = [readout["name"] for readout in description["readouts"]]
            self.head_names = [
                [head["name"] for head in part["heads"]] for part in description["parts"]
            ]
            for name, tensor in tensors.items():
                place, *steps = name.split(".")
                owner = self
                for step, after in zip([place, *steps], steps, strict=False):
                    if not hasattr(owner, step):
                        owner.add_module(step, torch.nn.Module())
                    owner = getattr(owner, step)
                    place = after
                if place == "scale":
                    owner.register_buffer(place, tensor)
                else:
                    owner.register_parameter(place, torch.nn.Parameter(tensor))

        def forward(self, ids: Any) -> dict[str, Any]:
            last = self.trace(ids)[0]
            parts = [getattr(self.outputs, str(number)) for number in range(len(self.output_names))]
            return {
                name: last @ part.weight + part.bias
                for name, part in zip(self.output_names, parts, strict=True)
            }

        def trace(self, ids: Any) -> tuple[Any, dict[str, Any], list[Any]]:
            x = self.token_embedding[ids] + self.position_embedding[: ids.shape[1]]
            hidden = (ids == self.pad)[:, None, :]
            if self.causal:
                at = torch.arange(ids.shape[1], device=ids.device)
                hidden = hidden | (at[None, :] > at[:, None])
            patterns, stages = {}, [x]
            for number, names in enumerate(self.head_names):
                layer, added = getattr(self.layers, str(number)), x
                for place, name in enumerate(names):
                    head = getattr(layer.heads, str(place))
                    scores = (x @ head.query) @ (x @ head.key).transpose(1, 2)
                    scores = scores.masked_fill(hidden, float("-inf"))
                    best = scores.amax(dim=2, keepdim=True)
                    weights = torch.exp((scores - best) * head.scale)
                    total = weights.sum(dim=2, keepdim=True)
                    added = added + ((weights @ (x @ head.value)) / total) @ head.output
                    patterns[name] = weights / total
                x = added
                stages.append(x)
                if hasattr(layer, "feed_forward"):
                    network = layer.feed_forward
                    x = x + torch.relu(x @ network.w1 + network.b1) @ network.w2
                stages.append(x)
            return x, patterns, stages

    return CompiledModule
