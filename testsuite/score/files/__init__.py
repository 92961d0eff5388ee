"""Gold and prediction files in the forms that benchmarks use. Errors name the file, the line or entry, and the id.

One module per form: ``spider_text`` (``SQL<TAB>db_id`` a line, blank lines between interactions), ``objects`` (JSONL
and JSON lists: ours, Spider's, SParC's and CoSQL's ``dev.json``, BIRD's), ``bird_predictions``. ``reading`` tells which
a file has, and pairs golds with predictions.
"""

from testsuite.score.files.lines import Line, file_hash
from testsuite.score.files.reading import Pairs, read_gold, read_items, read_pairs, read_predictions

__all__ = ["Line", "Pairs", "file_hash", "read_gold", "read_items", "read_pairs", "read_predictions"]
