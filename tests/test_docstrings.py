"""Every example in a docstring runs and prints what it says."""

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OPTIONAL = {"torch", "distributed", "onnx", "onnxruntime", "safetensors"}


def _modules() -> Iterator[str]:
    for init in sorted(ROOT.glob("*/__init__.py")):
        package = init.parent.name
        yield package
        for found in pkgutil.walk_packages([str(init.parent)], package + "."):
            if not found.name.endswith("__main__"):
                yield found.name


@pytest.mark.parametrize("name", list(_modules()))
def test_examples_of_the_module(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name in OPTIONAL:
            pytest.skip(f"needs the optional package {missing.name}")
        raise
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0
