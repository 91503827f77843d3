"""The loading snippets of the guide run where none of our packages can be imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rasp.weights.examples import reverse_model

ROOT = Path(__file__).parents[3]
BLOCK = r"```python\n# (.+?) only: .+?\n(.*?)```"
SNIPPETS = dict(re.findall(BLOCK, (ROOT / "docs/compiled-models.md").read_text(), re.DOTALL))

ALONE = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, *rest):
        barred = name.split(".")[0] in {barred!r}
        return None if barred else self.finder.find_spec(name, *rest)
sys.meta_path[:] = map(Without, sys.meta_path)
try:
    import rasp
except ModuleNotFoundError:
    pass
else:
    raise SystemExit("rasp can be imported")
"""
OURS = {"attnlimits", "claims", "languages", "attention", "bounds", "restrictions", "influence",
        "synthesis", "rasp", "proofs", "figures"}  # fmt: skip


def printed(snippet: str, folder: Path, *, barred: set[str]) -> str:
    text = ALONE.format(barred=OURS | barred) + SNIPPETS[snippet]
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_guide_has_a_snippet_for_each() -> None:
    assert set(SNIPPETS) == {"torch", "torch and safetensors", "onnxruntime", "transformers"}


def test_onnxruntime_alone(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from rasp.weights.onnx_file import save_onnx

    save_onnx(reverse_model("abc", length=9), tmp_path / "model.onnx")
    barred = {"torch", "onnx", "safetensors", "transformers"}
    assert printed("onnxruntime", tmp_path, barred=barred) == "ccba\n"


@pytest.mark.slow
def test_torch_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from rasp.weights.torch_module import save_program

    save_program(reverse_model("abc", length=9), tmp_path / "model.pt2")
    barred = {"onnx", "onnxruntime", "safetensors", "transformers"}
    assert printed("torch", tmp_path, barred=barred).startswith("[[2, 1, 0], [2, 2, ")


@pytest.mark.slow
def test_torch_and_safetensors_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from rasp.weights.safetensors_file import save_safetensors

    save_safetensors(reverse_model("abc", length=9), tmp_path)
    barred = {"onnx", "onnxruntime", "transformers"}
    assert printed("torch and safetensors", tmp_path, barred=barred) == "ccba\n"


@pytest.mark.slow
def test_transformers_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from rasp.weights.huggingface import save_huggingface

    save_huggingface(reverse_model("abc", length=9), tmp_path / "model")
    assert printed("transformers", tmp_path, barred={"onnx", "onnxruntime"}) == "ccba\nba\n"
