"""``attnlimits rasp export|decompile``: compiled models in other forms, and back as text."""

from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import numpy as np

from attnlimits.boundary import EXPECTED, Format, UsageError, emit
from attnlimits.commands.rasp_compile import load_model

Form = Literal["safetensors", "torch", "onnx", "huggingface"]


def export_model(
    model: Path,
    *,
    to: Form,
    out: Annotated[Path, cyclopts.Parameter(name=("--out", "-o"))],
    dtype: Literal["float32", "float64"] = "float32",
    output: str | None = None,
    format: Format = "text",  # noqa: A002
) -> int:
    """Write a compiled model in a form that other tools load without this package.

    Parameters
    ----------
    model
        Folder or file that compile wrote.
    to
        Folder with safetensors and JSON, a torch.export program, an ONNX file, or a folder for
        Hugging Face transformers.
    out
        File or folder to write.
    dtype
        Type of the weights.
    output
        For huggingface: which output the classifier gives, if there are several.
    format
        Text or JSON.
    """
    found = load_model(model)
    if output is not None and to != "huggingface":
        raise UsageError(f"--output is for huggingface: {to} holds every output")
    if out.suffix and to in ("safetensors", "huggingface"):
        raise UsageError(f"{to} is a folder: -o {out} looks like a file")
    if to == "torch" and out.suffix != ".pt2":
        raise UsageError(f"-o {out}: files of torch.export end in .pt2")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")
    match to:
        case "safetensors":
            from rasp.weights.safetensors_file import save_safetensors

            save_safetensors(found, out, dtype)
        case "torch":
            from rasp.weights.torch_module import save_program

            save_program(found, out, dtype)
        case "onnx":
            from rasp.weights.onnx_file import save_onnx

            save_onnx(found, out, dtype)
        case "huggingface":
            from rasp.weights.huggingface import save_huggingface

            save_huggingface(found, out, dtype, output=output)
    data = {"form": to, "dtype": dtype, "written": str(out), "parameters": found.parameters()}
    emit(data, f"{found.name} written to {out} ({to}, {dtype})\n", format)
    return EXPECTED


def decompile_model(
    model: Path,
    *,
    probes: int = 60,
    seed: int = 0,
    format: Format = "text",  # noqa: A002
) -> int:
    """Print a RASP program read from the weights of a compiled model.

    Parameters
    ----------
    model
        Folder or file that compile wrote; its stored text is not read.
    probes
        Random words to look at, beside short words and boundary cases.
    seed
        Of the random words.
    format
        Text or JSON.
    """
    from rasp.decompile import decompile

    if probes < 0:
        raise UsageError(f"--probes {probes}: use a number from 0")
    found = decompile(load_model(model), probes=probes, rng=np.random.default_rng(seed))
    names = {output: name for output, (name, _) in found.outputs.items()}
    data = {"program": found.text, "outputs": names, "compared": found.scope}
    emit(data, f"# equal to the model on {found.scope}\n{found.text}", format)
    return EXPECTED
