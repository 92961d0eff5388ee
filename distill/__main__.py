"""``python -m distill`` is the ``distill`` command."""

from distill.cli import main

main()
