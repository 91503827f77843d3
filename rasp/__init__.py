"""RASP: the language of Weiss, Goldberg & Yahav (2021), its analysis, its compiler.

One core and two front ends.  The core is the graph of :mod:`rasp.graph`, which explains itself
to whoever compiles it; the front ends are the Python API below (:mod:`rasp.sops`) and the
concrete language (:mod:`rasp.syntax`, :mod:`rasp.interpret`).

References
----------
Weiss, Goldberg & Yahav (2021), Thinking like transformers, ICML [weiss2021].
"""

from rasp.sops import Selector as Selector
from rasp.sops import SOp as SOp
from rasp.sops import aggregate as aggregate
from rasp.sops import best as best
from rasp.sops import elementwise as elementwise
from rasp.sops import full_s as full_s
from rasp.sops import indicator as indicator
from rasp.sops import indices as indices
from rasp.sops import length as length
from rasp.sops import select as select
from rasp.sops import selector_width as selector_width
from rasp.sops import tokens as tokens
from rasp.sops import tokens_asis as tokens_asis
from rasp.sops import tokens_bool as tokens_bool
from rasp.sops import tokens_float as tokens_float
from rasp.sops import tokens_int as tokens_int
from rasp.sops import tokens_str as tokens_str
from rasp.sops import where as where
