"""First and last step: names. What a column belongs to is settled once, so that later rules need not ask."""

from __future__ import annotations

from sqlglot import exp

from distill.equivalent.state import Opaque, State
from distill.operators.base import aliased_sources, bare, identifier
from distill.operators.scope import resolve, sources

# Constructs about which the rules here know nothing, or which change what equality of values means.
_OPAQUE = (exp.Window, exp.CTE, exp.Filter, exp.Collate, exp.TableSample, exp.Lateral, exp.Values, exp.Rand)


def qualify(state: State) -> None:
    """Parentheses removed, sources given unique aliases, columns qualified, ``*`` spelled out, ordinals and item
    aliases in ORDER BY and GROUP BY replaced by what they stand for, item aliases nobody can see dropped.

    Raises:
        Opaque: the query holds what no rule knows.
    """
    tree, schema = state.tree, state.schema
    if tree.find(*_OPAQUE) is not None:
        raise Opaque
    if any(str(f.this).lower() in ("random", "randomblob") for f in tree.find_all(exp.Anonymous)):
        raise Opaque
    for paren in list(tree.find_all(exp.Paren)):
        paren.replace(paren.this)
    for select in state.selects():
        _expand_stars(state, select)
    for select in state.selects():
        _spell_out(state, select)
    for select in state.selects():
        if select is tree or _unnamed(select):
            select.set("expressions", [bare(item) for item in select.expressions])
    found = [(node, resolve(node, schema)) for node in tree.find_all(exp.Column)]
    for node, reference in found:
        if reference is None and not node.table and isinstance(node.this, exp.Identifier):
            owner = node.find_ancestor(exp.Query)
            if isinstance(owner, exp.Select) and None not in sources(owner, schema).values():
                raise Opaque  # rowid, or an alias used where SQLite looks for columns first
    fresh: dict[tuple[int, str], str] = {}
    for select in state.selects():
        tables = sources(select, schema)
        for source in aliased_sources(select):
            alias = source.alias_or_name.lower()
            table = tables.get(alias)
            if table is None:
                continue
            if (id(select), alias) in fresh:
                raise Opaque
            name = f"s{len(fresh)}"
            fresh[id(select), alias] = name
            source.set("alias", exp.TableAlias(this=identifier(name)))
            source.set("this", identifier(table.name))
            source.set("db", None)
            state.tables[name] = table
    for node, reference in found:
        if reference is not None:
            node.set("table", identifier(fresh[id(reference.select), reference.alias]))
            node.set("this", identifier(reference.column.name.lower()))
        elif node.table.lower() in state.tables:
            raise Opaque
    for call in tree.find_all(exp.AggFunc):
        owner = call.find_ancestor(exp.Select)
        own = {source.alias_or_name.lower() for source in aliased_sources(owner)} if owner else set()
        tables_used = {node.table.lower() for node in call.find_all(exp.Column)}
        if tables_used and not tables_used & own:
            raise Opaque  # SQLite computes it in the outer query


def _unnamed(select: exp.Select) -> bool:
    """True where nothing outside can name the columns: IN, EXISTS and scalar subqueries."""
    parent = select.parent
    if isinstance(parent, exp.Exists):
        return True
    if not isinstance(parent, exp.Subquery):
        return False
    return not isinstance(parent.parent, (exp.From, exp.Join, exp.SetOperation, exp.CTE))


def _expand_stars(state: State, select: exp.Select) -> None:
    if not any(item.is_star for item in select.expressions if not isinstance(item, exp.Count)):
        return
    if isinstance(select.parent, exp.Exists) or _in_exists(select):
        select.set("expressions", [exp.Literal.number(1)])
        return
    tables = sources(select, state.schema)
    odd = any(j.args.get("using") or j.args.get("method") for j in select.args.get("joins") or [])
    items: list[exp.Expr] = []
    for item in select.expressions:
        if not isinstance(item, (exp.Star, exp.Column)) or not item.is_star:
            items.append(item)
            continue
        if odd or item.args.get("except_") or item.args.get("replace"):
            raise Opaque
        wanted = item.table.lower() if isinstance(item, exp.Column) else ""
        for alias, table in tables.items():
            if table is None:
                raise Opaque
            if wanted in ("", alias):
                items += [exp.Column(this=identifier(c.name), table=identifier(alias)) for c in table.columns]
    select.set("expressions", items)


def _in_exists(select: exp.Select) -> bool:
    return isinstance(select.parent, exp.Subquery) and isinstance(select.parent.parent, exp.Exists)


def _spell_out(state: State, select: exp.Select) -> None:
    aliases = {i.alias.lower(): i.this for i in select.expressions if isinstance(i, exp.Alias)}
    for clause in ("order", "group"):
        if not select.args.get(clause):
            continue
        for term in list(select.args[clause].expressions):
            node = term.this if isinstance(term, exp.Ordered) else term
            if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
                place = int(node.this)
                if not 1 <= place <= len(select.expressions):
                    raise Opaque
                node.replace(bare(select.expressions[place - 1]).copy())
            elif isinstance(node, exp.Column) and not node.table and node.name.lower() in aliases:
                sees_alias = clause == "order" or resolve(node, state.schema) is None
                if sees_alias:
                    node.replace(aliases[node.name.lower()].copy())
    if select.args.get("having"):
        for node in list(select.args["having"].find_all(exp.Column)):
            if not node.table and node.name.lower() in aliases and resolve(node, state.schema) is None:
                node.replace(aliases[node.name.lower()].copy())


def final_names(state: State) -> dict[str, str]:
    """Alias to a name that depends only on table, place among its namesakes and depth, so that equal queries agree."""
    final: dict[str, str] = {}
    for select in state.selects():
        depth, node = 0, select.parent
        while node is not None:
            depth += isinstance(node, exp.Select)
            node = node.parent
        seen: dict[str, int] = {}
        for source in aliased_sources(select):
            alias = source.alias_or_name.lower()
            if alias in state.tables:
                name = state.tables[alias].name.lower()
                seen[name] = seen.get(name, 0) + 1
                final[alias] = f"{name}#{seen[name]}@{depth}"
    return final
