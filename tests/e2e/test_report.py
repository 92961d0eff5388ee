"""``testsuite report`` as a user gives it, and its page in a browser."""

from __future__ import annotations

import shutil

import pytest
from commands import command
from made_runs import EXPLANATIONS, RECORDS, make_run, make_suites, record

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def test_a_scored_run_becomes_a_page(bench):
    a = bench.folder / "a"
    assert bench.score("-o", a).returncode == 0
    output = bench.folder / "page.html"
    done = command("testsuite", "report", a, "-o", output)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "1 run" in done.stdout
    page = output.read_text()
    assert "SELECT name FROM item WHERE price \\u003e= 5" in page and "2 of 4" in page
    again = bench.folder / "again.html"
    assert command("testsuite", "report", a, "-o", again, "--suite", bench.suites, "--title", "Shops").returncode == 0
    assert "<h1>Shops</h1>" in again.read_text()


def test_bad_input_is_one_message(bench, tmp_path):
    run = make_run(tmp_path / "run")
    page = tmp_path / "page.html"
    for arguments, said in (
        ([tmp_path / "none"], "no results directory"),
        ([run, run], "twice"),
        ([run, make_run(tmp_path / "other", RECORDS[:2])], "not over the same golds"),
        ([run, "--suite", tmp_path / "none"], "does not exist"),
        ([run, "--suite", run], "holds no suite"),
        ([], "RESULTS"),
    ):
        done = command("testsuite", "report", *arguments, "-o", page)
        assert done.returncode == 2 and said in done.stderr, done.stderr
        assert "Traceback" not in done.stderr and not page.exists()
    (run / "causes.jsonl").write_text("nonsense\n")
    done = command("testsuite", "report", run, "-o", page)
    assert done.returncode == 2 and "causes.jsonl:1" in done.stderr


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium here to open the page with")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open the report of some runs; whatever the browser complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(*runs, **context):
        output = tmp_path / "page.html"
        done = command("testsuite", "report", *runs, "-o", output)
        assert done.returncode == 0, done.stderr
        contexts.append(browser.new_context(**context))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or complaints.append(request.url))
        page.goto(output.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=10_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", explanations=EXPLANATIONS, suites=make_suites(tmp_path / "suites"))


def listed(page) -> list[str]:
    return page.locator("#table tbody tr button").all_inner_texts()


def test_items_are_searched_and_filtered(open_page, run):
    page = open_page(run)
    assert listed(page) == [r.id for r in RECORDS]
    page.select_option("#status", "lucky")
    assert listed(page) == ["2"] and page.inner_text("#count") == "1 of 7 items"
    page.click("#filters button[type=reset]")
    page.wait_for_function("document.querySelector('#count').textContent.startsWith('7')")
    page.fill("#search", "nmae")
    assert listed(page) == ["5"]
    page.fill("#search", "nothing like it")
    assert listed(page) == [] and page.inner_text("#count") == "0 of 7 items"
    page.fill("#search", "")
    page.select_option("#database", "zoo")
    page.select_option("#hardness", "hard")
    assert listed(page) == ["1", "3"]
    page.select_option("#component", "where")
    assert listed(page) == ["1"]
    # A bar's name lists its items.
    page.click("[data-filter=lucky-cause] >> text=missing distinct")
    assert listed(page) == ["2"] and page.input_value("#cause") == "missing_distinct"


def test_an_item_shows_its_queries_and_counterexample(open_page, run):
    page = open_page(run)
    page.click("#table >> text='2'")
    detail = page.inner_text("#detail")
    for words in (
        "Item 2",
        "</script><script>",
        "confirmed",
        "SELECT DISTINCT a FROM t",
        "INSERT INTO t VALUES (1), (1)",
    ):
        assert words in detail, detail
    assert "verified on SQLite" in detail and "2 rows" in detail and "NULL" in detail
    assert str(2**60) in detail and "inf" in detail and "3 of 7 instances" in detail
    assert page.evaluate("window.broken") is None
    page.keyboard.press("Escape")
    assert page.is_hidden("#detail")
    page.goto(page.url.split("#")[0] + "#item=4")
    page.reload()
    assert "Item 4" in page.inner_text("#detail") and "the first five" in page.inner_text("#detail")
    page.click("[data-item='3']")
    assert "Item 3" in page.inner_text("#detail")


def test_the_list_works_from_the_keyboard(open_page, run):
    page = open_page(run)
    page.keyboard.press("/")
    page.keyboard.type("select")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "Item 1" in page.inner_text("#detail")
    page.keyboard.press("ArrowDown")
    assert "Item 2" in page.inner_text("#detail")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "2"


def test_several_runs_stand_side_by_side(open_page, run, tmp_path):
    better = [record(n, True, True) for n in range(7)]
    page = open_page(run, make_run(tmp_path / "better", better))
    assert "gained" in page.inner_text("#headline")
    page.select_option("#status", "~")
    assert listed(page) == ["2", "3", "4", "5", "6"]
    page.select_option("#run", "1")
    page.select_option("#status", "right")
    assert len(listed(page)) == 7
    page.click("#table >> text='3'")
    assert "better: right" in page.inner_text("#detail")


def test_six_runs_fit_a_phone(open_page, tmp_path):
    runs = [make_run(tmp_path / f"a_model_of_a_rather_long_name_{n}") for n in range(6)]
    page = open_page(*runs, viewport={"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    widths = page.evaluate("[...document.querySelectorAll('.even .plot')].map(e => Math.round(e.clientWidth))")
    assert widths and max(widths) - min(widths) <= 1


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(open_page, run, width, scheme):
    page = open_page(run, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#table >> text='2'")
    box = page.locator("#detail").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) < 200) == (scheme == "dark")


def test_a_long_list_opens_quickly_and_in_parts(open_page, tmp_path):
    records = [record(n, bool(n % 3), True, failed_on=() if n % 3 else ("aa",)) for n in range(1000)]
    page = open_page(make_run(tmp_path / "long", records))
    assert page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart") < 2000
    assert len(listed(page)) == 300
    page.click("#more")
    assert len(listed(page)) == 600
