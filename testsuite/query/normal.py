"""One text for queries that are the same up to spelling, for deduplication."""

from __future__ import annotations

import re

from sqlglot import exp

from testsuite.query.text import render

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*\Z")
_DEFAULT_ALIAS = "__t"


def normal_text(tree: exp.Query) -> str:
    """Canonical SQLite text of a tree.

    Folded: keyword and identifier case, blanks, comments, superfluous quotes and AS, names of table aliases
    (__t1, __t2 ... by order of appearance, where every use is plain to see), the alias of an output column that
    nothing refers to keeps its name. Texts are equal only for queries of one meaning; many queries of one
    meaning have different texts.
    """
    tree = tree.copy()
    renames = _renames(tree)
    for node in tree.walk():
        node.comments = None
        if isinstance(node, exp.Identifier):
            _fold(node, renames)
    return render(tree, owned=True)


def _fold(node: exp.Identifier, renames: dict[str, str]) -> None:
    parent = node.parent
    if node.args.get("quoted") and isinstance(parent, exp.Column) and not parent.table:
        # "x" alone is a string where no column has that name: its case may matter, and the quotes do.
        return
    name = str(node.this).lower() if str(node.this).isascii() else str(node.this)
    if isinstance(parent, exp.TableAlias) or (isinstance(parent, exp.Column) and parent.args.get("table") is node):
        name = renames.get(name, name)
    node.set("this", name)
    node.set("quoted", not _PLAIN.match(name) or name.upper() in _KEYWORDS)


def _renames(tree: exp.Query) -> dict[str, str]:
    """New names of table aliases; empty where renaming is not certainly safe.

    Safe: every alias is bound once in the whole query, bears the name of no table or CTE used in it, and no
    unqualified use could mean the alias itself (SQLite has no such use, save table-valued functions).
    """
    bound: list[str] = []
    others: set[str] = set()
    for node in tree.find_all(exp.Table, exp.Subquery, exp.CTE):
        alias = node.args.get("alias")
        if isinstance(node, exp.CTE):
            others.add(node.alias.lower())
            continue
        if isinstance(node, exp.Table):
            others.add(node.name.lower())
            if not isinstance(node.this, exp.Identifier):
                return {}
        if isinstance(alias, exp.TableAlias) and alias.this is not None:
            if alias.args.get("columns"):
                return {}
            bound.append(alias.name.lower())
    unique = {name for name in bound if bound.count(name) == 1} - others
    if any(name.startswith(_DEFAULT_ALIAS) for name in others | set(bound)):
        return {}
    order: dict[str, str] = {}
    for name in bound:
        if name in unique and name.isascii():
            order.setdefault(name, f"{_DEFAULT_ALIAS}{len(order) + 1}")
    return order


# Words that SQLite does not take as bare names (https://sqlite.org/lang_keywords.html).
_KEYWORDS = frozenset(
    """ABORT ADD ALL ALTER AND AS ASC AUTOINCREMENT BETWEEN BY CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DEFAULT DEFERRABLE DELETE DESC DISTINCT DROP ELSE ESCAPE EXCEPT
    EXISTS FOREIGN FROM FULL GROUP HAVING IN INDEX INNER INSERT INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL
    NOT NOTHING NOTNULL NULL ON OR ORDER OUTER OVER PRIMARY REFERENCES RETURNING RIGHT SELECT SET TABLE THEN TO
    TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE WINDOW WITH TRUE FALSE END GLOB LIKE MATCH REGEXP
    OFFSET FILTER PARTITION ROWS RANGE GROUPS ROWID""".split()  # noqa: SIM905 (a list of words reads better)
)
