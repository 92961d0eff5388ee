"""What SQLite means and other engines read otherwise, and spellings that SQLite does not take."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from faults import Case, both_engines, check, each, judged

from testsuite.records import Fate

SHIP = """
CREATE TABLE ship(id INTEGER PRIMARY KEY, name TEXT, flag TEXT, built DATE, crew INTEGER, zero INTEGER, tons REAL,
                  code VARCHAR2(20), lost BOOL, fee DECIMAL(4,2), made YEAR, size NUMBER(10,2), deck int(11));
CREATE TABLE port(id INTEGER, ship TEXT, berth INTEGER)"""
ROWS = (
    "INSERT INTO ship VALUES "
    "(1,'ANNA','no','1999-03-05',7,0,2.5,'01','T',99999.999,1999,12.5,3),"
    "(2,'anton','Peru','2001-11-30',2,0,0.1,'1','F',1.5,2001,3,4),"
    "(3,'Ölga','Peru','2001-02-01',NULL,0,0.2,'x',NULL,2.25,NULL,NULL,NULL);"
    "INSERT INTO port VALUES (1,'1',5),(2,'02',6),(3,'none',7),(4,NULL,8)",
)


def ship(cause: str, gold: str, prediction: str, equal: bool, **more: object) -> Case:
    return Case(cause, SHIP, ROWS, gold, prediction, equal, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Value:
    """What SQLite answers: ``query`` gives just what ``VALUES rows`` gives, and not what ``VALUES wrong`` gives."""

    cause: str
    query: str
    rows: str
    wrong: str


VALUES = [
    Value("whole numbers divide to whole numbers", "SELECT 7 / 2, -7 / 2, crew / 2 FROM ship WHERE id = 1",
          "(3,-3,3)", "(3.5,-3.5,3.5)"),
    Value("a share of a count", "SELECT COUNT(*) * 100 / 7 FROM ship", "(42)", "(42.857142857142854)"),
    Value("reals divide to reals", "SELECT 7.0 / 2, crew / 2.0 FROM ship WHERE id = 1", "(3.5,3.5)", "(3.5,3)"),
    Value("division by zero is NULL", "SELECT 1, 7 / zero, 7 % zero, 7.0 / zero FROM ship WHERE id = 1",
          "(1,NULL,NULL,NULL)", "(1,9e999,NULL,9e999)"),
    Value("remainder of a negative number", "SELECT -7 % 3, 7 % -3", "(-1,1)", "(2,-2)"),
    Value("double quotes that name no column are text", 'SELECT id FROM ship WHERE flag = "Peru"',
          "(2),(3)", "(2),(4)"),
    Value("double quotes that name a column are a column", 'SELECT COUNT(*) FROM ship WHERE flag = "flag"', "(3)",
          "(0)"),
    Value("LIKE folds ASCII case", "SELECT name FROM ship WHERE name LIKE 'an%'", "('ANNA'),('anton')", "('anton')"),
    Value("LIKE folds ASCII only", "SELECT COUNT(*) FROM ship WHERE name LIKE 'ö%'", "(0)", "(1)"),
    Value("upper and lower fold ASCII only", "SELECT upper('äb'), lower('ÄB')", "('äB','Äb')", "('ÄB','äb')"),
    Value("GLOB minds the case", "SELECT COUNT(*) FROM ship WHERE name GLOB 'an*'", "(1)", "(2)"),
    Value("LIKE on a number", "SELECT id FROM ship WHERE made LIKE '19%'", "(1)", "(2)"),
    Value("text functions on numbers and dates", "SELECT length(12345), substr(built, 1, 4) FROM ship WHERE id = 1",
          "(5,'1999')", "(5,1999)"),
    Value("text column beside a number", "SELECT id FROM ship WHERE code = 1", "(2)", "(1),(2)"),
    Value("text column above a number", "SELECT COUNT(*) FROM ship WHERE code > 0", "(3)", "(2)"),
    Value("number column beside a text", "SELECT COUNT(*) FROM ship WHERE crew = 'many'", "(0)", "(1)"),
    Value("join of text and number", "SELECT ship.id FROM ship JOIN port ON ship.id = port.ship", "(1),(2)", "(1)"),
    Value("REAL has 64 bits", "SELECT SUM(tons) FROM ship WHERE id > 1", "(0.3)", "(0.30000000447034836)"),
    Value("declared types SQLite does not know", "SELECT code, size, deck FROM ship WHERE id = 1",
          "('01',12.5,3)", "('01',12,3)"),
    Value("DECIMAL bounds nothing", "SELECT fee FROM ship WHERE id = 1", "(99999.999)", "(99.99)"),
    Value("a BOOL column that holds text", "SELECT id FROM ship WHERE lost = 'T'", "(1)", "(2)"),
    Value("dates are text: LIKE", "SELECT id FROM ship WHERE built LIKE '2001%'", "(2),(3)", "(2)"),
    Value("dates are text: >", "SELECT id FROM ship WHERE built > '2001-02'", "(2),(3)", "(2)"),
    Value("dates are text: BETWEEN", "SELECT id FROM ship WHERE built BETWEEN '1999-01' AND '2000-12'",
          "(1)", "(2)"),
    # A DATE column has numeric affinity: '2000' becomes a number there, and every text is above all numbers.
    Value("a year beside a date is a number", "SELECT COUNT(*) FROM ship WHERE built > '2000'", "(3)", "(2)"),
    Value("dates are text: minus", "SELECT a.built - b.built FROM ship a JOIN ship b ON a.id = 2 AND b.id = 3",
          "(0)", "(302)"),
    Value("dates are text: =", "SELECT COUNT(*) FROM ship WHERE built = '2001-2-1'", "(0)", "(1)"),
    Value("bare column beside MAX", "SELECT name, MAX(crew) FROM ship", "('ANNA',7)", "('anton',7)"),
    Value("bare column beside MIN", "SELECT flag, name, MIN(tons) FROM ship GROUP BY flag",
          "('no','ANNA',2.5),('Peru','anton',0.1)", "('no','ANNA',2.5),('Peru','Ölga',0.1)"),
    Value("CAST takes leading digits", "SELECT CAST('12abc' AS INTEGER), CAST('' AS INTEGER), CAST(' 8 ' AS INTEGER)",
          "(12,0,8)", "(NULL,NULL,8)"),
    Value("CAST cuts off", "SELECT CAST(3.9 AS INTEGER), CAST(-3.9 AS INTEGER)", "(3,-3)", "(4,-4)"),
    Value("CAST of large numbers stops at the end", "SELECT CAST('99999999999999999999' AS INTEGER)",
          "(9223372036854775807)", "(-1)"),
    Value("text added", "SELECT name + flag FROM ship WHERE id = 2", "(0)", "(1)"),
    Value("text summed", "SELECT SUM(code), AVG(code), SUM(name) FROM ship", "(2.0,0.6666666666666666,0.0)",
          "(2.0,1.0,0.0)"),
    Value("comparisons summed", "SELECT SUM(crew > 3), AVG(crew > 3) FROM ship", "(1,0.5)", "(2,0.5)"),
    Value("text beside a number: > puts text last", "SELECT 'a' > 99, '1' = 1, '1' < 2", "(1,0,0)", "(1,1,1)"),
    Value("rounding", "SELECT ROUND(2.5), ROUND(-2.5), ROUND(2.675, 2), ROUND(1234.567, -2)",
          "(3,-3,2.68,1235)", "(2,-2,2.67,1200)"),
    Value("formatted numbers", "SELECT printf('%.2f', 2.345), printf('%d', 7.9), printf('%5s|', 'a')",
          "('2.35','7','    a|')", "('2.34','8','a|')"),
    Value("subquery of several rows gives its first", "SELECT id FROM ship WHERE crew = "
          "(SELECT crew FROM ship WHERE crew IS NOT NULL ORDER BY crew DESC)", "(1)", "(2)"),
    Value("empty subquery gives NULL", "SELECT COUNT(*) FROM ship WHERE crew = (SELECT crew FROM ship WHERE id = 99)",
          "(0)", "(3)"),
    Value("parts of dates", "SELECT strftime('%Y', built), strftime('%m', built), strftime('%w', built) FROM ship "
          "WHERE id = 1", "('1999','03','5')", "(1999,3,5)"),
    Value("moved dates", "SELECT date(built, '+1 day', 'start of month'), datetime(built, '-1 hour') FROM ship "
          "WHERE id = 2", "('2001-12-01','2001-11-29 23:00:00')", "('2001-12-31','2001-11-30 00:00:00')"),
    Value("days between dates", "SELECT julianday('2001-03-01') - julianday('2001-02-01')", "(28.0)", "(29.0)"),
    Value("no date gives NULL", "SELECT 1, date('soon'), strftime('%Y', 'soon')", "(1,NULL,NULL)", "(1,'soon','soon')"),
    Value("TOTAL of nothing", "SELECT TOTAL(crew), SUM(crew), COUNT(crew) FROM ship WHERE id > 5",
          "(0.0,NULL,0)", "(0.0,0,0)"),
    Value("the clock is frozen", "SELECT date('now'), strftime('%Y', CURRENT_TIMESTAMP)", "('2024-03-01','2024')",
          "('2024-03-02','2024')"),
    Value("LIMIT with a comma", "SELECT SUM(id) FROM (SELECT id FROM ship ORDER BY id LIMIT 1, 2)", "(5)", "(3)"),
    Value("LIMIT below zero", "SELECT COUNT(*) FROM (SELECT id FROM ship LIMIT -1)", "(3)", "(0)"),
    Value("brackets and backticks", "SELECT [name] FROM `ship` WHERE `id` = 1", "('ANNA')", "('name')"),
    Value("IS between values", "SELECT COUNT(*) FROM ship WHERE crew IS 7", "(1)", "(0)"),
    Value("== and !=, <>", "SELECT id FROM ship WHERE id == 2 AND crew != 7 AND crew <> 8", "(2)", "(1)"),
    Value("scalar MAX and MIN", "SELECT MAX(1, 9, 3), MIN('b', 'a')", "(9,'a')", "(3,'b')"),
    Value("scalar MAX with NULL", "SELECT 1, MAX(1, NULL)", "(1,NULL)", "(1,1)"),
    Value("substr from zero and from the end",
          "SELECT substr('abcde', 0, 3), substr('abcde', -2), substr('abcde', 2, -1)",
          "('ab','de','a')", "('abc','de','b')"),
    Value("|| with NULL and numbers", "SELECT 1, 'a' || NULL, 1 || 2, 1.0 || ''", "(1,NULL,'12','1.0')",
          "(1,'a','12','1')"),
    Value("GROUP_CONCAT leaves out NULL", "SELECT GROUP_CONCAT(crew) FROM ship WHERE id <> 1", "('2')", "('2,')"),
    Value("COLLATE NOCASE", "SELECT COUNT(*) FROM ship WHERE name = 'anna' COLLATE NOCASE", "(1)", "(0)"),
    Value("text compares by bytes", "SELECT COUNT(*) FROM ship WHERE name > 'Z'", "(2)", "(1)"),
    Value("a select alias in WHERE", "SELECT crew + 1 AS more FROM ship WHERE more > 5", "(8)", "(3)"),
    Value("GROUP BY an alias that is a column too", "SELECT flag AS name, COUNT(*) FROM ship GROUP BY name",
          "('no',1),('Peru',1),('Peru',1)", "('no',1),('Peru',2)"),
    Value("JOIN without ON", "SELECT COUNT(*) FROM ship JOIN port", "(12)", "(3)"),
    Value("HAVING without GROUP BY", "SELECT COUNT(*) FROM ship HAVING COUNT(*) > 2", "(3)", "(2)"),
    Value("truth of numbers and texts", "SELECT COUNT(*) FROM ship WHERE crew AND '2x'", "(2)", "(3)"),
    Value("typeof", "SELECT typeof(id), typeof(tons), typeof(name), typeof(crew) FROM ship WHERE id = 3",
          "('integer','real','text','null')", "('bigint','double','varchar','null')"),
    Value("AVG is a real", "SELECT AVG(id) FROM ship WHERE id < 3", "(1.5)", "(1)"),
    Value("a row compared with a row", "SELECT COUNT(*) FROM ship WHERE (flag, id) = ('Peru', 2)", "(1)", "(0)"),
]  # fmt: skip

PAIRS = [
    ship("/ for a real quotient", "SELECT crew / 2 FROM ship", "SELECT CAST(crew AS REAL) / 2 FROM ship", False),
    ship("CAST for ROUND", "SELECT CAST(tons AS INTEGER) FROM ship",
         "SELECT CAST(ROUND(tons) AS INTEGER) FROM ship", False),
    ship("LIKE for =", "SELECT id FROM ship WHERE name LIKE 'anna'", "SELECT id FROM ship WHERE name = 'anna'", False),
    ship("NULLs first ascending", "SELECT crew FROM ship ORDER BY crew",
         "SELECT crew FROM ship ORDER BY crew NULLS FIRST", True),
    ship("not NULLs last ascending", "SELECT crew FROM ship ORDER BY crew",
         "SELECT crew FROM ship ORDER BY crew NULLS LAST", False),
    ship("NULLs last descending", "SELECT crew FROM ship ORDER BY crew DESC",
         "SELECT crew FROM ship ORDER BY crew DESC NULLS LAST", True),
    ship("the order inside GROUP_CONCAT is open", "SELECT GROUP_CONCAT(name) FROM ship WHERE id < 3",
         "SELECT 'ANNA,anton'", None, fate=Fate.UNDETERMINED),
    ship("text with and without affinity", "SELECT id FROM ship WHERE code = 1",
         "SELECT id FROM ship WHERE +code = 1", False),
    ship("duplicate names in a derived table", "SELECT COUNT(*) FROM (SELECT a.id, b.id FROM ship a, ship b)",
         "SELECT 9", True),
    ship("DISTINCT ordered by another column", "SELECT DISTINCT flag FROM ship ORDER BY flag",
         "SELECT flag FROM ship GROUP BY flag ORDER BY flag", True),
    ship("DISTINCT over folded text",
         "SELECT DISTINCT flag COLLATE NOCASE FROM (SELECT 'Peru' AS flag UNION SELECT 'PERU')",
         "SELECT 'Peru' UNION SELECT 'PERU'", False),
    Case("text in a number column", "CREATE TABLE horse(id INTEGER, hp INTEGER)",
         ("INSERT INTO horse VALUES (1,90),(2,'null'),(3,120)",), "SELECT COUNT(*), MAX(hp) FROM horse WHERE hp > 100",
         "SELECT 2, 'null'", True),
    Case("text in a number column averaged", "CREATE TABLE horse(id INTEGER, hp INTEGER)",
         ("INSERT INTO horse VALUES (1,90),(2,'null'),(3,120)",), "SELECT AVG(hp) FROM horse", "SELECT 70.0", True),
]  # fmt: skip

FOREIGN = (
    "SELECT id::TEXT FROM ship",
    "SELECT id FROM ship WHERE name ILIKE 'an%'",
    "SELECT id FROM ship WHERE name NOT ILIKE 'an%'",
    "SELECT CONCAT(name, flag) FROM ship",
    "SELECT CONCAT_WS('-', name, flag) FROM ship",
    "SELECT LEFT(name, 2) FROM ship",
    "SELECT RIGHT(name, 2) FROM ship",
    "SELECT id FROM ship QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1",
    "SELECT * EXCLUDE (id) FROM ship",
    "SELECT * EXCEPT (id) FROM ship",
    "SELECT * REPLACE (id + 1 AS id) FROM ship",
    "SELECT COLUMNS('n.*') FROM ship",
    "SELECT flag, COUNT(*) FROM ship GROUP BY ALL",
    "SELECT id FROM ship ORDER BY ALL",
    "SELECT flag, COUNT(*) FROM ship GROUP BY ROLLUP (flag)",
    "SELECT flag, COUNT(*) FROM ship GROUP BY GROUPING SETS ((flag), ())",
    "FROM ship",
    "FROM ship SELECT id",
    "SELECT EXTRACT(YEAR FROM built) FROM ship",
    "SELECT YEAR(built) FROM ship",
    "SELECT DATE_PART('year', built) FROM ship",
    "SELECT DATE_TRUNC('year', built) FROM ship",
    "SELECT DATEDIFF('day', built, built) FROM ship",
    "SELECT built + INTERVAL 1 DAY FROM ship",
    "SELECT DATE '2020-01-01'",
    "SELECT NOW()",
    "SELECT CURRENT_DATE()",
    "SELECT IF(id > 1, 'a', 'b') FROM ship",
    "SELECT MEDIAN(crew) FROM ship",
    "SELECT STDDEV(crew) FROM ship",
    "SELECT VARIANCE(crew) FROM ship",
    "SELECT MODE(crew) FROM ship",
    "SELECT STRING_AGG(name, ',') FROM ship",
    "SELECT LIST(name) FROM ship",
    "SELECT ARRAY_AGG(name) FROM ship",
    "SELECT ARG_MAX(name, crew) FROM ship",
    "SELECT ANY_VALUE(name) FROM ship",
    "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY crew) FROM ship",
    "SELECT GROUP_CONCAT(name ORDER BY id SEPARATOR ';') FROM ship",
    "SELECT id FROM ship ORDER BY id FETCH FIRST 1 ROWS ONLY",
    "SELECT TOP 1 id FROM ship",
    "SELECT id FROM ship LIMIT 50%",
    "SELECT id FROM ship LIMIT 50 PERCENT",
    "SELECT id FROM ship OFFSET 1",
    "SELECT id FROM ship OFFSET 1 LIMIT 1",
    "SELECT id FROM ship WHERE crew = ANY (SELECT crew FROM ship)",
    "SELECT id FROM ship WHERE crew >= ALL (SELECT crew FROM ship)",
    "SELECT id FROM ship LIMIT 1 UNION SELECT id FROM port",
    "SELECT id FROM ship ORDER BY id UNION SELECT id FROM port",
    "(SELECT id FROM ship) UNION (SELECT id FROM port)",
    "SELECT id FROM ship MINUS SELECT id FROM port",
    "SELECT id FROM ship EXCEPT ALL SELECT id FROM port",
    "SELECT id FROM ship INTERSECT ALL SELECT id FROM port",
    "SELECT ship.id FROM ship SEMI JOIN port ON ship.id = port.id",
    "SELECT ship.id FROM ship ANTI JOIN port ON ship.id = port.id",
    "SELECT a.id FROM ship a, LATERAL (SELECT a.id) b",
    "SELECT * FROM ship PIVOT (COUNT(*) FOR flag IN ('Peru'))",
    "SELECT id FROM ship USING SAMPLE 1",
    "SELECT id FROM ship TABLESAMPLE BERNOULLI (50)",
    "SELECT [1, 2, 3]",
    "SELECT {'a': 1}",
    "SELECT id // 2 FROM ship",
    "SELECT id ** 2 FROM ship",
    "SELECT id FROM ship WHERE name ~ '^A'",
    "SELECT id FROM ship WHERE name SIMILAR TO 'A.*'",
    "SELECT id FROM ship WHERE REGEXP_MATCHES(name, 'A')",
    "SELECT id FROM ship WHERE name RLIKE 'A'",
    "SELECT id FROM ship WHERE STARTS_WITH(name, 'A')",
    "SELECT id FROM ship WHERE CONTAINS(name, 'A')",
    "SELECT SPLIT_PART(name, 'N', 1) FROM ship",
    "SELECT LPAD(name, 9, ' ') FROM ship",
    "SELECT REVERSE(name) FROM ship",
    "SELECT CHAR_LENGTH(name) FROM ship",
    "SELECT POSITION('N' IN name) FROM ship",
    "SELECT SUBSTRING(name FROM 1 FOR 2) FROM ship",
    "SELECT TRIM(LEADING 'A' FROM name) FROM ship",
    "SELECT TRY_CAST(code AS INTEGER) FROM ship",
    "SELECT CONVERT(code, SIGNED) FROM ship",
    "SELECT ISNULL(crew, 0) FROM ship",
    "SELECT NVL(crew, 0) FROM ship",
    "SELECT GREATEST(1, 2)",
    "SELECT COUNT_IF(crew > 1) FROM ship",
    "SELECT COUNT(DISTINCT id, crew) FROM ship",
    "SELECT DISTINCT ON (flag) id FROM ship",
    "SELECT id FROM ship WHERE id IN (1, 2,)",
    "SELECT id, FROM ship",
    "SELECT * FROM (VALUES (1, 2)) AS v(a, b)",
    "SELECT * FROM generate_series(1, 3)",
    "SELECT * FROM range(3)",
    "SELECT * FROM UNNEST([1, 2])",
    "SELECT x -> x + 1 FROM ship",
    "SELECT E'a\\n'",
    "SELECT $$a$$",
    "SELECT id FROM ship # a comment",
    "SELECT @a := id FROM ship",
    "DESCRIBE ship",
    "SHOW TABLES",
    "SUMMARIZE ship",
    "TABLE ship",
)


@both_engines()
@pytest.mark.parametrize("value", VALUES, ids=[value.cause for value in VALUES])
def test_value(value: Value, engine: str) -> None:
    check(ship(value.cause, value.query, f"VALUES {value.rows}", True), engine)
    check(ship(value.cause, value.query, f"VALUES {value.wrong}", False), engine)


@both_engines()
@each(PAIRS)
def test_verdict(case: Case, engine: str) -> None:
    check(case, engine)


@pytest.mark.parametrize("sql", FOREIGN)
def test_spellings_of_other_engines_are_invalid(sql: str) -> None:
    result = judged(ship(sql, "SELECT id FROM ship", sql, False))
    assert (result.fate, result.test_suite) == (Fate.INVALID_PREDICTION, False), result
    assert result.message
