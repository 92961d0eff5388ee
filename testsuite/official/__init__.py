"""The published Spider script's verdicts, reproduced exactly: for comparison with published numbers, nothing else.

`--semantics official` answers as taoyds/test-suite-sql-eval does. Its rules are not ours:

* Execution. DISTINCT is deleted from both queries unless `keep_distinct` is set. The order of rows counts where the
  gold's text holds `order by`, in a subquery or a string too. Columns may stand in any order. Two empty answers are
  equal, whatever their columns. Numbers are compared without tolerance, and 1 = 1.0, but answers whose cells sort
  differently as texts (10.5 and 1 against 10.5 and 1.0) count as different. The letters `value` in a prediction
  become `1` before anything else.
* Value plugging. With `plug_value` a prediction is right if it passes with any of the gold's values in place of its
  own. At most `MAX_CANDIDATES` are tried; a verdict cut short so says `capped`.
* Exact set match compares parsed queries; values, join conditions and DISTINCT do not count. The parser takes a small
  part of SQL: no comma joins, no outer joins, no `<>`, no functions but the five aggregates, no alias without AS. A
  prediction beyond that is wrong, however right it is; `parsed` says so. A gold beyond that has the hardness `unknown`.
* Hardness is counted on the parsed gold.

Apart from that, and never in its place, `testsuite.official.strict.exact_strict` asks the question of exact set match
of the whole of SQL, with scoped aliases, join conditions and DISTINCT.

Where it does not follow the script: predictions only read (a statement that would write is an error here), and a
query is stopped at its deadline, where the script waits on. Neither changes the verdict on a query that only reads and
ends in time. A gold that fails ends the script's run; here it ends its own pair.

From a tables.json entry to verdicts:

    tables = read_official_tables(entry)
    gold = parse_official("SELECT count(*) FROM singer", tables)
    match = exact_match(gold, parse_prediction(prediction_text(line), tables) or EMPTY, tables.key_columns)
    verdict = official_equal(gold_sql, prediction_text(line), instance_files(Path("database/concert_singer")))
"""

from testsuite.official.answers import answers_equal
from testsuite.official.bird import BirdScores, bird_ex, bird_scores, bird_soft_f1
from testsuite.official.errors import NotParsed
from testsuite.official.execution import MAX_CANDIDATES, OfficialVerdict, instance_files, official_equal
from testsuite.official.grammar import parse_official, parse_prediction
from testsuite.official.hardness import LEVELS, Hardness, hardness
from testsuite.official.match import COMPONENTS, Component, Match, exact_match
from testsuite.official.names import OfficialTables, read_official_tables
from testsuite.official.partial import PartialScore, partial_scores
from testsuite.official.readonly import ReadOnlyFiles
from testsuite.official.structure import EMPTY, Query
from testsuite.official.text import executed_text, prediction_text, replaced_value

__all__ = [
    "COMPONENTS",
    "EMPTY",
    "LEVELS",
    "MAX_CANDIDATES",
    "BirdScores",
    "Component",
    "Hardness",
    "Match",
    "NotParsed",
    "OfficialTables",
    "OfficialVerdict",
    "PartialScore",
    "Query",
    "ReadOnlyFiles",
    "answers_equal",
    "bird_ex",
    "bird_scores",
    "bird_soft_f1",
    "exact_match",
    "executed_text",
    "hardness",
    "instance_files",
    "official_equal",
    "parse_official",
    "parse_prediction",
    "partial_scores",
    "prediction_text",
    "read_official_tables",
    "replaced_value",
]
