"""The page as a whole: safe, self-contained, the same every time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from made_runs import EXPLANATIONS, MANIFEST, RECORDS, make_run, make_suites, record

from testsuite.errors import InputError
from testsuite.report import read_runs, render, write_report


class Page(HTMLParser):
    """Tags and attributes of a page, and the text of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[tuple[str, str]] = []
        self.words = ""
        self._in: str | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._in = tag if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self._in = None

    def handle_data(self, data):
        if self._in:
            self.inline.append((self._in, data))
        else:
            self.words += data


@pytest.fixture
def text(tmp_path):
    runs = read_runs([make_run(tmp_path / "run", explanations=EXPLANATIONS), make_run(tmp_path / "<b>bold")])
    return render(runs, {"shop": MANIFEST, "zoo": MANIFEST}, title="A & <i>B</i>")


def test_nothing_in_a_query_or_a_name_becomes_markup(text):
    page = Page(text)
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == 2 and not {"b", "i", "img"} & set(tags)
    assert "A & <i>B</i>" in page.words and "<b>bold" in page.words
    data = json.loads(next(content for tag, content in page.inline if tag == "script"))
    assert data["runs"] == ["run", "<b>bold"]
    assert "onerror" in data["items"][2]["runs"][0]["prediction"]


def test_the_page_needs_nothing_and_allows_nothing(text):
    page = Page(text)
    policy = next(
        a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    style = next(content for tag, content in page.inline if tag == "style")
    script = [content for tag, content in page.inline if tag == "script"][1]
    for name, content in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    for tag, attributes in page.tags:
        assert not {"style", "src", "srcset"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert (attributes.get("href") or "#").startswith(("#", "data:")), tag
    assert not re.search(r"url\(|@import|https?://", style + script)
    assert "innerHTML" not in script and "eval(" not in script


def test_every_label_points_at_something_and_ids_are_unique(text):
    page = Page(text)
    ids = [a["id"] for _, a in page.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        if (attributes.get("href") or "").startswith("#"):
            assert attributes["href"][1:] in ids
    assert [t for t, _ in page.tags].count("h1") == 1
    assert all(a.get("aria-hidden") or a.get("aria-label") for t, a in page.tags if t == "svg")


def test_figures_stand_with_their_denominators(tmp_path):
    words = " ".join(Page(render(read_runs([make_run(tmp_path / "run")]))).words.split())
    # Two of six items with a verdict are right; four of seven pass the shipped instance, one of them by luck.
    assert "Of 6 predictions that have a verdict, 33.3" in words
    assert "2 of 6" in words and "4 of 7" in words
    assert "3 look right; 1 of these (33.3" in words
    assert "testsuite explain RESULTS --all" in words


def test_a_run_of_exact_set_match_alone_has_no_luck(tmp_path):
    records = [record(n, None, None, exact=bool(n)) for n in range(3)]
    page = Page(render(read_runs([make_run(tmp_path / "run", records, etype="match")])))
    assert "exact set match" in page.words and "Lucky passes" not in page.words
    assert "2 of 3" in page.words


def test_a_dialogue_has_interactions_and_turns(tmp_path):
    records = [record(n, n != 3, True, interaction=n // 2, turn=n % 2 + 1) for n in range(4)]
    page = Page(render(read_runs([make_run(tmp_path / "run", records)])))
    assert "interaction match, by test-suite accuracy" in page.words and "1 of 2" in page.words
    assert "By turn" in page.words


def test_the_same_runs_give_the_same_bytes(tmp_path):
    run = make_run(tmp_path / "run", explanations=EXPLANATIONS, suites=make_suites(tmp_path / "suites"))
    a, b = tmp_path / "a.html", tmp_path / "deep" / "b.html"
    size = write_report([run], a)
    write_report([run], b)
    assert a.read_bytes() == b.read_bytes() and size == a.stat().st_size
    assert b"How strong the suites are" in a.read_bytes()


def test_the_page_of_a_thousand_items_is_small(tmp_path):
    records = [record(n, False, True, failed_on=("aa", "bb")) for n in range(1000)]
    explanations = [{**EXPLANATIONS[0], "id": str(n)} for n in range(1000)]
    assert write_report([make_run(tmp_path / "run", records, explanations=explanations)], tmp_path / "r.html") < 2e6


def test_what_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written"):
        write_report([make_run(tmp_path / "run", RECORDS)], tmp_path / "file" / "r.html")
