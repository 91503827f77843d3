"""Gather finished runs into the file of results that comes with the package.

``python benchmarks/record_training.py FOLDER`` reads what ``attnlimits rasp table1 --laptop --out
FOLDER`` and ``table2`` left there.  Attention on the example is kept for the first seed only.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

from rasp.trainer.result import write_whole
from rasp.trainer.store import Store
from rasp.trainer.tables import SEEDS, rows, settings

OUT = Path(__file__).parents[1] / "rasp" / "trainer" / "recorded" / "laptop.json"


def main(folder: Path) -> None:
    """Write the file; runs that are missing are named."""
    known = {result.setting.digest(): result for result in Store(folder).all()}
    lines = []
    for row in rows("laptop"):
        for setting in settings(row, "laptop"):
            result = known.get(setting.digest())
            if result is None:
                print(f"missing: {setting.title()} ({row.variant})")
                continue
            if setting.seed != SEEDS[0]:
                result = replace(result, example=None)
            lines.append(json.dumps(result.data(), sort_keys=True, separators=(",", ":")))
    write_whole(OUT, ("[\n" + ",\n".join(lines) + "\n]\n").encode())
    print(f"{len(lines)} runs, {OUT.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
