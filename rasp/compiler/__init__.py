"""Compile RASP programs to exact transformer weights."""

from rasp.compiler.findings import Finding as Finding
from rasp.compiler.findings import NotCompilableError as NotCompilableError
from rasp.compiler.pipeline import check_program as check_program
from rasp.compiler.pipeline import compile_program as compile_program
from rasp.compiler.setting import SettingError as SettingError
