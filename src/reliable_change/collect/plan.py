"""The plan of a collection: what to ask of which models how often, and in which order."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import pandas as pd

from reliable_change.archive.manifest import Edge
from reliable_change.archive.schema import ITEM_KEY
from reliable_change.collect.address import VENDORS_KEY
from reliable_change.collect.items.sources import read_items
from reliable_change.collect.plan_checks import check_plan, checked_items
from reliable_change.collect.plan_words import WORDS, taken
from reliable_change.collect.prices import Price, Prices
from reliable_change.collect.records import Key, Settings
from reliable_change.errors import CollectError

CONCURRENCY = 36
# Seconds that a request may take: a reasoning model needs minutes.
TIMEOUT = 600.0


@dataclass(frozen=True)
class Limits:
    """When to stop though trials are missing; None is no limit.

    cost is in the currency of the price table and holds for everything in the journal; seconds
    hold for one run; attempts_per_trial counts failed tries of one trial in one run.
    """

    cost: float | None = None
    seconds: float | None = None
    attempts_per_trial: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value > 0:
                raise CollectError(f"limits: {name} is {value}; give a number above zero")


@dataclass(frozen=True, eq=False)
class Plan:
    """What to collect, checked as a whole before anything is asked.

    Parameters
    ----------
    name : of the collection and its archive: letters, digits and . _ -
    items : DataFrame
        Columns of the archive's items; benchmark, item_id and prompt in every row. Sorted by key.
    models : in release order; they are asked one after another.
    trials : K, the number of trials of each item and model.
    edges : pairs (source, target); by default each model and the next.
    settings, limits, prices : see `Settings`, `Limits`, `Prices`.
    concurrency : requests under way at a time.
    timeout : seconds after which a request counts as failed.
    seed : of the order of work.
    prompt_version : of the prompts' wording, for the manifest.
    key_variable : name of the environment variable that holds the key, never the key.
    description, licence, labels, short_labels, strata, slots : as in an archive's manifest.
    notices : sentences on what was left out when the items were read.

    Raises
    ------
    CollectError
        If anything is missing, doubled or out of range.

    Examples
    --------
    >>> items = pd.DataFrame({"benchmark": ["quiz"], "item_id": ["007"], "prompt": ["2 + 2?"]})
    >>> plan = Plan("one", items, ("old", "new"), trials=3)
    >>> plan.edges, plan.prompts[("quiz", "007")]
    ((('old', 'new'),), '2 + 2?')
    """

    name: str
    items: pd.DataFrame
    models: tuple[str, ...]
    trials: int
    edges: tuple[Edge, ...] | None = None
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    concurrency: int = CONCURRENCY
    timeout: float = TIMEOUT
    seed: int = 0
    prompt_version: str | None = None
    key_variable: str = VENDORS_KEY
    description: str = "Collected trials."
    licence: str = "not stated"
    labels: Mapping[str, str] = field(default_factory=dict)
    short_labels: Mapping[str, str] = field(default_factory=dict)
    strata: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        models = tuple(self.models)
        edges = tuple(pairwise(models)) if self.edges is None else tuple(map(tuple, self.edges))
        object.__setattr__(self, "models", models)
        object.__setattr__(self, "edges", edges)
        check_plan(self)
        object.__setattr__(self, "items", checked_items(self.items))

    @cached_property
    def prompts(self) -> dict[tuple[str, str], str]:
        """The prompt of each (benchmark, item_id), in key order."""
        columns = (self.items[name].tolist() for name in (*ITEM_KEY, "prompt"))
        return {(benchmark, item): prompt for benchmark, item, prompt in zip(*columns, strict=True)}

    @cached_property
    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks, in order."""
        return tuple(dict.fromkeys(benchmark for benchmark, _ in self.prompts))

    @property
    def total(self) -> int:
        """How many trials the whole collection has."""
        return len(self.prompts) * len(self.models) * self.trials


def work_order(
    plan: Plan, model: str, done: Container[Key] | Callable[[Key], bool] = ()
) -> list[Key]:
    """Return the trials of one phase that are missing, in the order in which to ask for them.

    The order is a shuffle of items and trials together, by a keyed hash of the plan's seed and
    the trial's key. So what is done already, further trials, items or models never change the
    order of the others, and it depends on no library's random stream.

    Parameters
    ----------
    done : what is stored already: a set of keys, what `Journal.done` returns, or a function
        that tells.

    Examples
    --------
    >>> items = pd.DataFrame({"benchmark": "quiz", "item_id": ["a", "b"], "prompt": "?"})
    >>> plan = Plan("two", items, ("new",), trials=2)
    >>> order = work_order(plan, "new")
    >>> [f"{key.item_id}{key.trial}" for key in order]
    ['a0', 'b1', 'b0', 'a1']
    >>> work_order(plan, "new", done={order[0]}) == order[1:]
    True
    """
    is_done = done if callable(done) else done.__contains__
    keys = (
        Key(benchmark, item, model, trial)
        for benchmark, item in plan.prompts
        for trial in range(plan.trials)
    )
    seed = str(plan.seed).encode("ascii")

    def place(key: Key) -> bytes:
        return blake2b(json.dumps(key).encode("ascii"), digest_size=16, key=seed).digest()

    return sorted((key for key in keys if not is_done(key)), key=place)


def read_plan(path: Path | str) -> Plan:
    """Read a plan from a TOML file; data/plans/example.toml shows and explains all of it.

    Paths in it are relative to the file's own folder.

    Raises
    ------
    CollectError
        Naming the file and what to mend: no TOML, a key unknown or of a wrong type, or whatever
        `Plan` and `read_items` object to.
    """
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        what = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise CollectError(f"plan '{path}': cannot be read ({what})") from None
    try:
        return _plan(content, path.parent)
    except CollectError as error:
        raise CollectError(f"plan '{path}': {str(error).removeprefix('plan: ')}") from None


def _plan(content: dict, folder: Path) -> Plan:
    values = taken(content, "plan")
    for name in ("name", "items", "models", "trials"):
        if name not in values:
            raise CollectError(f"{name!r} is missing; write {WORDS['plan'][name][0]}")
    settings = taken(values.pop("settings", {}), "settings")
    if settings.get("reasoning_effort") is False:
        settings["reasoning_effort"] = None
    limits = taken(values.pop("limits", {}), "limits")
    if "hours" in limits:
        limits["seconds"] = 3600 * limits.pop("hours")
    read = read_items(values.pop("items"), folder)
    return Plan(
        items=read.items,
        notices=read.notices,
        settings=Settings(**settings),
        limits=Limits(**limits),
        prices=_prices(values.pop("prices", None)),
        **values,
    )


def _prices(table: dict | None) -> Prices | None:
    if table is None:
        return None
    values = taken(table, "prices")
    models = {
        model: Price(**{"input": 0.0, "output": 0.0} | taken(price, "price"))
        for model, price in values.pop("models", {}).items()
    }
    return Prices(models, **values)
