"""The compiled double histogram: what is drawn is what the program computes."""

import pytest
from matplotlib.figure import Figure

from figures.rasp_compiled_double_histogram import SIZE, data, draw, note


def test_patterns_are_the_selectors_with_the_row_of_bos() -> None:
    drawn = data()
    word = drawn.word
    assert drawn.hist == tuple(word.count(letter) * (i > 0) for i, letter in enumerate(word))
    assert drawn.seen == tuple(word[:i].count(letter) for i, letter in enumerate(word))
    assert [layer for _, layer, _ in drawn.heads] == [1, 1, 2]
    for _, _, pattern in drawn.heads:
        for row in pattern:
            assert sum(row) == pytest.approx(1, abs=1e-6)
            chosen = [share for share in row if share > 0]
            assert chosen == pytest.approx([1 / len(chosen)] * len(chosen))
    of_count = {c: {word[i] for i in range(1, 6) if drawn.hist[i] == c} for c in (1, 2)}
    assert drawn.output[1:] == tuple(len(of_count[c]) for c in drawn.hist[1:])


def test_every_label_is_inside_the_figure() -> None:
    figure = Figure(figsize=SIZE)
    drawn = data()
    draw(figure, drawn)
    assert "2 layers, 3 heads" in note(drawn)
    for text in figure.texts:
        x, y = text.get_position()
        assert 0 <= x < 1
        assert 0 <= y < 1
        assert text.get_fontsize() >= 7
