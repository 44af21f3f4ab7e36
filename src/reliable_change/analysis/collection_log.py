"""What became of a collection: its failed tries by kind, and the proof that nothing is amiss."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from reliable_change.analysis.collection import Place
from reliable_change.analysis.collection_texts import contents, text_counts
from reliable_change.archive.read import Archive, read_archive
from reliable_change.collect.export import export
from reliable_change.collect.journal import Journal
from reliable_change.collect.plan import Plan
from reliable_change.collect.practice.desk import HUNG_UP
from reliable_change.collect.practice.faults import TRANSIENT
from reliable_change.collect.practice.server import PracticeServer
from reliable_change.collect.records import public_url
from reliable_change.errors import NotInArchive


def fault_log(plan: Plan, place: Place) -> pd.DataFrame:
    """Failed tries by kind, those left out that stop the work at once.

    Returns
    -------
    DataFrame
        recorded (the journal's kind of failure), fault, meets (what the client met), requests,
        expected (by the rate; missing for real). With a practice server a row for each of its
        faults, counted by the server; for real one for each kind, counted from the journal.

    Raises
    ------
    NotInArchive
        For real, and no try failed.
    """
    if place.server is None:
        failed = _failures(plan, place, transient=True)
        rows = [(kind, kind, "", count, None) for kind, count in failed.items()]
        if not rows:
            raise NotInArchive("no try failed; there is no fault to show")
    else:
        sent = _sent(place.server)
        rows = [
            (recorded, fault, meets, sent[fault], sent.total() * place.faults.rates[fault])
            for fault, (meets, recorded) in TRANSIENT.items()
        ]
    found = pd.DataFrame(rows, columns=["recorded", "fault", "meets", "requests", "expected"])
    return found.astype({"expected": float})


def origin(source: Archive, place: Place) -> str:
    """A line that says what the collection's data is."""
    if place.server is None:
        return f"Collected from {public_url(place.base_url)}"
    kind = "synthetic replies" if source.manifest.synthetic else "replies"
    return f"Practice: {kind} of {source.manifest.name}, replayed; faults made on purpose"


def proof(source: Archive, plan: Plan, place: Place) -> pd.DataFrame:
    """Hold what was collected against what it should be.

    Reads it as others will: exported from the journal and validated as an archive.

    Returns
    -------
    DataFrame
        check, expected, found, agrees ("yes" or "no"). In practice expected is the source's or
        the server's own count; for real only completeness can be checked.
    """
    collected = read_archive(export(place.folder, plan, place.folder / "archive", replace=True))
    key = ["benchmark", "item_id", "model", "trial"]
    rows = [("trials, each key once", plan.total, len(collected.responses(key).drop_duplicates()))]
    if place.server is not None:
        rows += _against_source(source, collected, plan)
        rows += _against_server(place, collected, plan)
    checked = pd.DataFrame(rows, columns=["check", "expected", "found"])
    checked["agrees"] = (checked["expected"] == checked["found"]).map({True: "yes", False: "no"})
    return checked


def _against_source(source: Archive, collected: Archive, plan: Plan) -> list[tuple]:
    expected, found = text_counts(source, plan, plan.trials), text_counts(collected, plan)
    theirs, ours = contents(source, plan), contents(collected, plan)
    equal = sum(theirs.get(pair) == replies for pair, replies in ours.items())
    return [
        ("replies with a text", sum(expected.values()), sum(found.values())),
        ("pairs of item and model with the source's replies", len(expected), equal),
    ]


def _against_server(place: Place, collected: Archive, plan: Plan) -> list[tuple]:
    """Tries in all and failed ones by kind; refusals over quota stop the work and are left out."""
    sent = _sent(place.server)
    failed = _failures(plan, place, transient=True)
    stopped = sum(_failures(plan, place, transient=False).values())
    tries = int(collected.responses(["attempts"])["attempts"].sum()) - stopped
    rows = [("tries in all", sent.total(), tries)]
    for kind in dict.fromkeys(recorded for _, recorded in TRANSIENT.values()):
        kinds = [fault for fault, (_, recorded) in TRANSIENT.items() if recorded == kind]
        if kind == "timeout":
            kinds.append(HUNG_UP)  # the machine was so busy that a reply came too late
        count = sum(sent[fault] for fault in kinds)
        rows.append((f"failed tries recorded as {kind}", count, failed[kind]))
    return rows


def _failures(plan: Plan, place: Place, *, transient: bool) -> Counter[str]:
    with Journal.open(place.folder, plan, write=False) as journal:
        return Counter(a.kind for a in journal.attempts() if a.transient == transient)


def _sent(server: PracticeServer) -> Counter[str]:
    """How the server answered, by kind; how often it refused as over quota depends on timing."""
    counted = server.log().groupby("outcome")["requests"].sum().to_dict()
    return Counter({kind: int(count) for kind, count in counted.items() if kind != "quota"})
