"""What training costs: targets in CPU seconds, packing against padding, data against steps.

``python benchmarks/training_speed.py`` prints, for the seeds of the tables and one thread, the
processor time until 99 % of held-out tokens are right, and two ratios measured side by side: a
step on words packed two to a row against one on the same number of words padded to the longest,
and the time to draw words and evaluate the program against the time of the steps that use them.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rasp.trainer.encoder import initial_weights, torch_or_error
from rasp.trainer.lessons import Batch, Lesson
from rasp.trainer.measure import Model
from rasp.trainer.setting import Setting
from rasp.trainer.tables import SEEDS, Row, settings
from rasp.trainer.tasks import task
from rasp.trainer.train import _step, train

TARGETS = (
    ("reverse (2,1), length 20", Row("reverse", "supervised"), 25),
    ("Dyck-1 (2,1), length 20", Row("dyck1", "supervised"), 5),
    ("Dyck-1 (2,1), outputs alone", Row("dyck1", "predicted"), 5),
    ("hist, BOS (1,1), length 20", Row("hist-bos", "supervised"), 30),
    ("sort (1,1), length 20", Row("sort", "one layer fewer"), 20),
)

CHECK_EVERY = 50
"""Steps between looks at the held-out tokens; how training goes does not depend on them."""


def targets(seeds: tuple[int, ...]) -> None:
    """Print the processor time to 99 % for each target and seed, looking included."""
    for name, row, target in TARGETS:
        found = []
        for setting in settings(row, "laptop", seeds=seeds):
            short = replace(setting, check_every=CHECK_EVERY, stop_at=0.99, test=50)
            reached = train(short).reached(0.99)
            found.append(f"{reached.cpu:.1f}" if reached else "not reached")
        print(f"{name}: 99 % after {', '.join(found)} CPU s (target {target})", flush=True)


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the processor time of one call, the least of ``times``."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def ratios() -> None:
    """Print the two ratios for sort at length 20."""
    torch = torch_or_error()
    torch.set_num_threads(1)
    setting = Setting(task=task("sort"))
    lesson = Lesson(setting.task)
    weights = initial_weights(
        setting,
        symbols=len(lesson.symbols),
        positions=lesson.longest,
        classes=len(lesson.classes),
    )
    parameters = [value.requires_grad_() for value in weights.values()]
    optimiser = torch.optim.AdamW(parameters, lr=1e-4, fused=True)
    model = Model(setting, lesson, weights)
    rng = np.random.default_rng(0)
    packed = lesson.packed(32, rng, patterns=False)
    padded = lesson.of_length(20, 64, rng)

    def step(batch: Batch) -> float:
        return seconds(lambda: _step(model, batch, optimiser, parameters), 30)

    one, other = step(packed), step(padded)
    drawn = seconds(lambda: lesson.packed(32 * 32, rng, patterns=False), 3) / 32
    print(
        f"step of 64 words: packed {1e3 * one:.1f} ms, padded {1e3 * other:.1f} ms, "
        f"ratio {other / one:.2f}"
    )
    print(f"data of a step: {1e3 * drawn:.1f} ms, {drawn / one:.2f} of the step")


if __name__ == "__main__":
    ratios()
    targets(SEEDS)
