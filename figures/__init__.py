"""Figures: one module each, with a pure ``data()`` and a ``draw(fig, data)``.

A module of this package is a figure when it defines ``ID``.  It then defines

``ID``
    Unique, lower case with hyphens; the stem of every file it yields, e.g. ``"reduction-growth"``.
``TITLE``, ``CAPTION``
    A short title; one or two sentences that say what is shown, with inline LaTeX between dollars.
``data(*, quick=False)``
    Computes and returns a frozen dataclass of numbers and arrays with ``to_json()`` (one line:
    ``return plain(self)`` from :mod:`figures.numbers`).  Pure: no drawing, no files, no
    environment; randomness from a generator seeded inside with a constant.  ``quick`` may use
    fewer points, never other mathematics.
``draw(fig, data)``
    Draws into an empty ``matplotlib.figure.Figure`` and returns nothing.  Imports matplotlib
    inside, never ``pyplot``; computes nothing.  Fonts, colours and line styles come from
    :mod:`figures.style`, which the renderer has switched on.
``SIZE`` (optional)
    Width and height in inches, e.g. ``(style.COLUMN, 2.4)``, which is also the default.
``note(data)`` (optional)
    A sentence with the computed numbers that the report quotes.

:func:`figures.registry.figures` finds them, :func:`figures.render.render` writes the files.
"""
