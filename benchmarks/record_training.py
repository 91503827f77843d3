"""Gather what was trained into the records that come with the package.

``python benchmarks/record_training.py tables FOLDER`` reads what ``attnlimits rasp table1 --laptop
--out FOLDER`` and ``table2`` left there; ``restricted FOLDER`` what ``attnlimits rasp restricted
--train --out FOLDER`` did; ``lengths FOLDER`` the models of ``attnlimits rasp lengths --train --out
FOLDER --format json > FOLDER/lengths.json``, and that file.  Attention on the example is kept for
the first seed only.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rasp.trainer import restricted
from rasp.trainer.result import write_whole
from rasp.trainer.setting import Setting
from rasp.trainer.store import Store
from rasp.trainer.sweep import checkpoint_of
from rasp.trainer.tables import SEEDS, Row, rows, settings
from rasp.trainer.train import trained

OUT = Path(__file__).parents[1] / "rasp" / "trainer" / "recorded"


def table_runs() -> Iterator[Setting]:
    """Yield the settings of both tables."""
    for row in rows("laptop"):
        yield from settings(row, "laptop")


def restricted_runs() -> Iterator[Setting]:
    """Yield the settings under restricted attention."""
    for program in restricted.PROGRAMS:
        for mask in restricted.MASKS:
            yield from restricted.settings(program, mask)


def gather(folder: Path, wanted: Iterable[Setting]) -> Iterator[Mapping[str, Any]]:
    """Yield finished runs in order; those that are missing are named."""
    store = Store(folder)
    for setting in wanted:
        result = store.find(setting)
        if result is None:
            print(f"missing: {setting.title()}")
            continue
        if setting.seed != SEEDS[0]:
            result = replace(result, example=None)
        yield result.data()


def write(name: str, found: Iterable[Mapping[str, Any]]) -> None:
    """Write a record, one run or model a line."""
    lines = [json.dumps(one, sort_keys=True, separators=(",", ":")) for one in found]
    path = OUT / f"{name}.json"
    write_whole(path, ("[\n" + ",\n".join(lines) + "\n]\n").encode())
    print(f"{name}: {len(lines)} entries, {path.stat().st_size // 1024} KiB")


def main(kind: str, folder: Path) -> None:
    """Write the record of a kind."""
    if kind == "tables":
        write("laptop", gather(folder, table_runs()))
    elif kind == "restricted":
        write("restricted", gather(folder, restricted_runs()))
    elif kind == "lengths":
        write("lengths", json.loads((folder / "lengths.json").read_text("utf-8")))
        (setting,) = settings(Row("hist-bos", "supervised"), "laptop", seeds=(0,))
        arrays = trained(checkpoint_of(folder, setting)).arrays()
        np.savez_compressed(OUT / "histogram.npz", **arrays)  # type: ignore[arg-type]
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
