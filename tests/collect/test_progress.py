"""What a phase says while it runs, and that it says nothing where nobody looks on."""

from __future__ import annotations

import io

import pytest

from reliable_change.collect import progress as module
from reliable_change.collect.failures import failure
from reliable_change.collect.progress import Progress
from reliable_change.collect.run import collect, collect_async
from tests.collect.fakes import QUICK, Fake, leap, make_plan, refuse, reply


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def always_reworded(monkeypatch):
    monkeypatch.setattr(module, "REFRESH_SECONDS", 0.0)


def last_line(stream: io.StringIO) -> str:
    return stream.getvalue().rstrip().split("\r")[-1]


def test_a_bar_says_how_the_phase_gets_on(always_reworded):
    stream = Terminal()
    with Progress("gpt-5.5", 100, 40, stream=stream) as bar:
        for number in range(10):
            bar.stored(reply(tokens=(100, 1_000)), 0.25 * number)
        for kind in ("timeout", "rate_limit", "rate_limit"):
            bar.failed(kind, 2.25)
    said = last_line(stream)
    for part in ("gpt-5.5", "50/100", "50%", "11.0k tokens", "cost 2.25"):
        assert part in said
    assert "errors: 2 rate_limit, 1 timeout" in said
    assert "trial/s" in said or "s/trial" in said


def test_without_prices_or_counts_it_says_less(always_reworded):
    stream = Terminal()
    with Progress("m", 2, 0, stream=stream) as bar:
        bar.stored(reply(tokens=(None, None)), None)
    assert "0 tokens" in last_line(stream)
    assert "cost" not in stream.getvalue()


def test_it_shows_where_it_is_told_to(always_reworded):
    stream = io.StringIO()  # as in a notebook
    with Progress("m", 2, 0, show=True, stream=stream) as bar:
        bar.stored(reply(), 1.0)
    assert "1/2" in last_line(stream)


@pytest.mark.parametrize(("stream", "show"), [(io.StringIO(), None), (Terminal(), False)])
def test_it_is_silent_where_nobody_looks_on(stream, show):
    with Progress("m", 2, 0, show=show, stream=stream) as bar:
        bar.stored(reply(), 1.0)
        bar.failed("timeout", 1.0)
    assert stream.getvalue() == ""


def test_a_collection_shows_a_bar_for_each_phase(tmp_path, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    plan = make_plan(items=5)
    collect(plan, tmp_path, client=Fake(), manner=QUICK)
    assert "old: 100%" in stream.getvalue()
    assert "new: 100%" in stream.getvalue()
    assert "10/10" in stream.getvalue()


def test_a_collection_is_silent_in_a_pipe(tmp_path, capfd):
    collect(make_plan(), tmp_path, client=Fake(), manner=QUICK)
    assert capfd.readouterr() == ("", "")


def test_why_it_stops_is_said_above_the_bar(tmp_path, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    outcome = collect(make_plan(), tmp_path, client=Fake(refuse("quota")), manner=QUICK)
    assert f"{outcome.stopped}\nWaiting up to 30 s" in stream.getvalue()


@pytest.mark.parametrize(("wait", "said"), [(130.0, 1), (2.0, 0)])
def test_a_long_wait_is_said_once(tmp_path, monkeypatch, wait, said):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)

    def answer(number, model, prompt):
        if number <= 5:
            raise failure("rate_limit", "slow down", retry_after=wait)

    client, plan = Fake(answer, delay=0.1), make_plan(items=10)
    leap(lambda manner: collect_async(plan, tmp_path, client=client, manner=manner))
    assert stream.getvalue().count("asks to wait 130 s (slow down)") == said
