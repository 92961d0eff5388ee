"""What is wrong with golds, found before any prediction is scored.

records     findings, severities, the report of one gold
findings    one kind of finding per file, their order in ``FINDINGS``
examine     all findings of one gold
worker      the same in a worker process
run         a whole gold file over suites
"""
