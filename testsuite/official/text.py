"""What the published script does to the text of queries before anything else."""

from __future__ import annotations

import re

_SPLIT_COMPARISONS = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_CURRENT_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)


def prediction_text(line: str) -> str:
    """A prediction as the script takes it from its file: the first tab-separated field, `value` replaced by `1`."""
    return replaced_value(line.strip().split("\t")[0])


def replaced_value(sql: str) -> str:
    """A prediction that is already out of its file: `value` replaced by `1`."""
    return sql.replace("value", "1")


def executed_text(sql: str) -> str:
    """Either query as it is run: comparisons written apart are joined (inside literals too), the year is 2020."""
    for apart, joined in _SPLIT_COMPARISONS:
        sql = sql.replace(apart, joined)
    return _CURRENT_YEAR.sub("2020", sql)
