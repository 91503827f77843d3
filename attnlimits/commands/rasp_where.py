"""Where the runs of a sweep are computed and kept: options that several verbs share."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cyclopts

from attnlimits.boundary import UsageError, note

if TYPE_CHECKING:
    from rasp.trainer.result import Result
    from rasp.trainer.setting import Setting


def require_writable(path: Path) -> None:
    """Fail now, not after hours, if a file cannot be written there."""
    from tempfile import TemporaryFile

    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file")
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=path.parent):
        pass


@cyclopts.Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Where:
    """Where runs are computed, and where finished ones are.

    Parameters
    ----------
    out
        Folder of finished runs, one file each: those already there are not repeated, and a run
        that was interrupted goes on.
    processes
        Runs at a time on this machine.
    cluster
        A dask scheduler that distributes the runs, as in tcp://10.0.0.1:8786 (extra cluster).
    device
        Where to compute, in PyTorch's words.
    """

    out: Path | None = None
    processes: int = 2
    cluster: str = ""
    device: str = "cpu"

    def train(
        self, wanted: Iterable["Setting"], *, models: Path | None = None
    ) -> dict[str, "Result"]:
        """Return the results of settings by digest, telling of each on stderr.

        Unfinished runs are kept in ``out`` until they are finished; workers of a cluster do not
        share it.  ``models`` is a folder in which the trained models stay.
        """
        from rasp.trainer.encoder import device_or_error
        from rasp.trainer.store import Store
        from rasp.trainer.sweep import checkpoint_of, cluster, local, sweep

        if self.out is not None:
            require_writable(self.out / "run.json")
        if not self.cluster:  # once and now, not in every worker
            device_or_error(self.device)
        runs = tuple(dict.fromkeys(wanted))
        workers = cluster(self.cluster) if self.cluster else local(self.processes)
        store = None if self.out is None or models is not None else Store(self.out)
        keep = models
        if store is not None and not self.cluster:
            keep = store.folder / "unfinished"
        results: dict[str, Result] = {}
        for result in sweep(runs, workers, store=store, checkpoints=keep, device=self.device):
            results[result.setting.digest()] = result
            if keep is not None and keep != models:
                checkpoint_of(keep, result.setting).unlink(missing_ok=True)
            note(
                f"{result.setting.title()}: tokens {100 * float(result.token_accuracy):.2f} %, "
                f"{result.cpu_seconds:.0f} CPU s ({len(results)} of {len(runs)})"
            )
        return results
