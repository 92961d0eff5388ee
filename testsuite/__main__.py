"""``python -m testsuite`` is the ``testsuite`` command."""

from testsuite.cli import main

main()
