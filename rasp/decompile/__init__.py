"""From the weights of a compiled model back to the text of a RASP program."""

from rasp.decompile.program import Decompiled as Decompiled
from rasp.decompile.program import decompile as decompile
