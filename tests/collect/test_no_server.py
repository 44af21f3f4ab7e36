"""Where nobody listens, the address is named, and after a while the work stops."""

from __future__ import annotations

from reliable_change.collect.crew import NO_SERVER_AFTER, NO_SERVER_SAID_AFTER, NO_SERVER_SECONDS
from reliable_change.collect.failures import failure
from reliable_change.collect.plan import Limits
from reliable_change.collect.progress import Progress
from reliable_change.collect.records import Settings
from reliable_change.collect.run import collect_async
from tests.collect.fakes import Fake, leap, make_plan, refuse

ADDRESS = "http://127.0.0.1:8100/v1"


def plan_there(**others):
    return make_plan(items=10, trials=10, settings=Settings(base_url=ADDRESS), **others)


def outcome_of(plan, folder, client, **others):
    def work(manner):
        return collect_async(plan, folder, client=client, progress=False, manner=manner, **others)

    return leap(work)


def test_a_closed_port_stops_the_work_after_a_while(tmp_path):
    client = Fake(refuse("connection", "ConnectError: refused"))
    outcome = outcome_of(plan_there(), tmp_path, client)
    assert outcome.stopped == (
        f"old: ConnectError: refused (no server answered at {ADDRESS}: check that one is there, "
        "and base_url in the plan)"
    )
    assert len(client.times) >= NO_SERVER_AFTER
    assert client.times[-1] - client.times[0] >= NO_SERVER_SECONDS
    assert client.times[-1] < 2 * NO_SERVER_SECONDS


def test_many_workers_do_not_use_up_its_patience_at_once(tmp_path):
    """A hundred tries are made in seconds; the server may be on its way up."""

    def answer(number, model, prompt):
        if loop_time() < NO_SERVER_SECONDS - 1:
            raise failure("connection", "refused")

    client = Fake(answer)

    def loop_time():
        return client.times[-1] - client.times[0]

    outcome = outcome_of(plan_there(concurrency=100), tmp_path, client)
    assert outcome.complete
    assert outcome.failures["connection"] > NO_SERVER_AFTER


def test_a_server_that_was_there_once_is_waited_for(tmp_path):
    """In a run before: the journal has a reply; or in this one."""
    first = make_plan(items=1, trials=1, models=("old",), settings=Settings(base_url=ADDRESS))
    assert outcome_of(first, tmp_path / "before", Fake()).complete

    def down(number, model, prompt):
        if (number > 1 or folder == "before") and number < 5 * NO_SERVER_AFTER:
            raise failure("connection", "refused")

    for folder in ("before", "now"):
        client = Fake(down)
        assert outcome_of(plan_there(), tmp_path / folder, client).complete
        assert client.times[-1] > NO_SERVER_SECONDS


def test_another_failure_shows_that_a_server_is_there(tmp_path):
    def answer(number, model, prompt):
        if number == 1:
            raise failure("server_error", "HTTP 503")
        if number < 5 * NO_SERVER_AFTER:
            raise failure("connection", "refused")

    assert outcome_of(plan_there(), tmp_path, Fake(answer)).complete


def test_whatever_stops_it_the_address_is_named(tmp_path):
    refused = refuse("connection", "refused")
    for number, limits in enumerate((Limits(seconds=5.0), Limits(attempts_per_trial=1))):
        plan = make_plan(items=2, settings=Settings(base_url=ADDRESS))
        outcome = outcome_of(plan, tmp_path / str(number), Fake(refused), limits=limits)
        assert outcome.stopped.endswith(
            f"; no server answered at {ADDRESS}: check that one is there, and base_url in the plan"
        )
        assert "limit" in outcome.stopped
    outcome = outcome_of(plan, tmp_path / "2", Fake(refuse("timeout")), limits=Limits(seconds=5.0))
    assert "no server" not in outcome.stopped


def test_who_looks_on_is_told_early_and_once(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(Progress, "say", lambda self, line: said.append((client.asked[:], line)))
    client = Fake(refuse("connection", "refused"))
    outcome_of(plan_there(concurrency=1), tmp_path, client, limits=Limits(seconds=600.0))
    told = [(len(asked), line) for asked, line in said if line.startswith("No server answered")]
    assert told == [
        (
            NO_SERVER_SAID_AFTER,
            f"No server answered at {ADDRESS}: check that one is there, and base_url in the plan. "
            "Trying on.",
        )
    ]
