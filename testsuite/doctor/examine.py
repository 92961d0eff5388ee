"""All findings of one gold."""

from __future__ import annotations

from testsuite.doctor.contents import Contents
from testsuite.doctor.findings import FINDINGS, Subject
from testsuite.doctor.records import Diagnosis, Examined, Severity
from testsuite.query.parse import Unparsed, parse
from testsuite.score.judge import Judge
from testsuite.suite import GoldNote


def examine(judge: Judge, contents: Contents, sql: str, note: GoldNote | None = None, suite_golds: int = 0) -> Examined:
    """Run a gold on every instance and look for everything in ``FINDINGS``.

    Args:
        judge: over the suite of the gold's database; its options hold the gold's time budget.
        contents: of the same suite.
        sql: the gold.
        note: what the suite's manifest says of it, None where it says nothing.
        suite_golds: how many golds the manifest knows.
    """
    tree, unread = None, ""
    try:
        tree = parse(sql)
    except Unparsed as error:
        unread = str(error)
    answers = judge.gold_answers(sql)
    if isinstance(answers, tuple):
        # The text may still show more than the reason why it fails, but what it means is not certain.
        fate, message = answers
        return Examined(
            False, contents.stack.count, diagnoses=(Diagnosis("fails", Severity.ERROR, f"{fate}: {message}"),)
        )
    prepared = judge.evaluator.prepare(sql)
    subject = Subject(
        contents,
        tree,
        unread=unread,
        low=answers.low,
        high=answers.high,
        open_choices=prepared.open_choices,
        clock=prepared.clock,
        note=note,
        suite_golds=suite_golds,
    )
    return examined(subject)


def examined(subject: Subject) -> Examined:
    """The findings of a subject, and where it can be scored."""
    diagnoses = tuple(
        Diagnosis(finding.name, severity, detail) for finding in FINDINGS for severity, detail in finding.find(subject)
    )
    determined = int(subject.usable.sum())
    informative = int(subject.informative.sum())
    count = subject.contents.stack.count
    # As scoring has it: where the gold says nothing on the instances left to it, agreement gives no verdict.
    scorable = determined > 0 and (informative > 0 or determined == count)
    return Examined(scorable, count, determined, informative, diagnoses)


def unasked(reason: str) -> Examined:
    """For a gold that could not be asked at all."""
    return Examined(False, diagnoses=(Diagnosis("fails", Severity.ERROR, reason),))
