"""``python -m attnlimits``."""

from attnlimits.cli import main

main()
