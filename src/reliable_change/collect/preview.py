"""The dry run: what would be asked, how often, and what it would cost, before money is spent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reliable_change.collect.address import VENDOR, key_notice
from reliable_change.collect.journal import Journal, journal_path, other_journals
from reliable_change.collect.plan import Plan, work_order
from reliable_change.collect.prices import (
    CHARACTERS_A_TOKEN,
    OUTPUT_TOKENS,
    Range,
    cost_range,
    need,
    spent,
)
from reliable_change.collect.records import Usage
from reliable_change.collect.scorable import scoring_notices

SAMPLES = 3
SHOWN_CHARACTERS = 600


@dataclass(frozen=True)
class Phase:
    """One model's part of the work that is left.

    missing and total count requests (a request for each trial, failed tries not foreseen);
    tokens and cost are of the missing ones, low to high, cost None without a price table;
    measured tells how many of the missing ones are estimated from replies, not from assumptions.
    """

    model: str
    total: int
    missing: int
    measured: int
    input_tokens: Range
    output_tokens: Range
    cost: Range | None


@dataclass(frozen=True)
class Preview:
    """What a collection would do; samples are (benchmark, item_id, prompt), others as
    `journal.other_journals` returns them, notices as `scoring_notices` does; key says what is
    amiss with the key, None if nothing is or it is not needed.
    """

    phases: tuple[Phase, ...]
    samples: tuple[tuple[str, str, str], ...]
    spent: float | None
    others: tuple[tuple[Path, dict, int], ...]
    notices: tuple[str, ...]
    key: str | None


def preview(plan: Plan, folder: Path | str) -> Preview:
    """Look at what a collection would do. Nothing is asked or written.

    Raises
    ------
    CollectError
        If the journal in the folder cannot be read, a prompt changed since it was asked, or an
        item could never be scored.
    """
    notices = scoring_notices(plan.items)
    if journal_path(folder, plan.settings).exists():
        with Journal.open(folder, plan, write=False) as journal, journal.snapshot():
            done = {model: journal.done(model) for model in plan.models}
            usage, cells = journal.usage(), journal.cell_usage()
    else:
        done, usage, cells = {}, {}, {}
    phases = tuple(_phase(plan, model, done.get(model, ()), cells) for model in plan.models)
    is_open = any(phase.missing for phase in phases)
    return Preview(
        phases,
        tuple(_samples(plan)),
        spent(plan.prices, usage),
        tuple(other_journals(folder, plan)),
        notices,
        key_notice(plan.key_variable, plan.settings.base_url or VENDOR) if is_open else None,
    )


def _phase(plan: Plan, model: str, done, cells: Mapping[tuple[str, str], Usage]) -> Phase:
    missing = Counter(key[:2] for key in work_order(plan, model, done))
    output = OUTPUT_TOKENS if plan.prices is None else plan.prices.output_tokens
    measured, tokens_in, tokens_out, money = 0, Range(0.0, 0.0), Range(0.0, 0.0), Range(0.0, 0.0)
    for benchmark in plan.benchmarks:
        counts = {item: count for item, count in missing.items() if item[0] == benchmark}
        total = sum(counts.values())
        if not total:
            continue
        characters = sum(len(plan.prompts[item]) * count for item, count in counts.items())
        used = cells.get((benchmark, model), Usage())
        needed = need(used, characters / total, output, plan.settings.max_output_tokens)
        measured += total * needed.measured
        tokens_in = _sum(tokens_in, needed.input_tokens * total)
        tokens_out = _sum(tokens_out, needed.output_tokens * total)
        if plan.prices is not None:
            money = _sum(money, cost_range(plan.prices.models[model], needed) * total)
    return Phase(
        model,
        len(plan.prompts) * plan.trials,
        missing.total(),
        measured,
        tokens_in,
        tokens_out,
        None if plan.prices is None else money,
    )


def _sum(one: Range, other: Range) -> Range:
    return Range(one.low + other.low, one.high + other.high)


def _samples(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """The first item of each benchmark, then further ones, three at the most if that will do."""
    first = dict.fromkeys(plan.benchmarks)
    for item in plan.prompts:
        first[item[0]] = first[item[0]] or item
    rest = [item for item in plan.prompts if item not in first.values()]
    chosen = [*first.values(), *rest][: max(SAMPLES, len(first))]
    return ((*item, plan.prompts[item]) for item in chosen)


def describe(plan: Plan, found: Preview) -> str:
    """Say in lines for a terminal what a collection would ask and what is left of it."""
    key = [] if found.key is None else [f"note: {plain(found.key)}"]
    return "\n".join([*_prompts(found), *_settings(plan), describe_work(plan, found), *key])


def describe_work(plan: Plan, found: Preview) -> str:
    """Say in lines how much work is left, what it may cost, and what is not used or scored."""
    notes = (f"note: {plain(notice)}" for notice in found.notices)
    return "\n".join([*_phases(plan, found), *_others(plan, found), *notes])


def _prompts(found: Preview) -> Iterator[str]:
    for benchmark, item, prompt in found.samples:
        yield f"prompt of {plain(item)} ({plain(benchmark)}):"
        text = plain(prompt[:SHOWN_CHARACTERS])
        yield from (f"  | {line}" for line in text.split("\n"))
        if len(prompt) > SHOWN_CHARACTERS:
            yield f"  … {len(prompt) - SHOWN_CHARACTERS:,} characters more"
        yield ""


def _settings(plan: Plan) -> Iterator[str]:
    yield f"every request: {plan.settings.to_json()}"
    yield f"{plan.concurrency} at a time; order shuffled by seed {plan.seed}"


def _phases(plan: Plan, found: Preview) -> Iterator[str]:
    currency = "" if plan.prices is None else plan.prices.currency
    for number, phase in enumerate(found.phases, 1):
        line = (
            f"phase {number}, {plain(phase.model)}: {phase.missing:,} of {phase.total:,} requests"
        )
        if phase.missing:
            line += f"; tokens in {_range(phase.input_tokens)}, out {_range(phase.output_tokens)}"
        if phase.missing and phase.cost is not None:
            line += f"; {_money(phase.cost)} {currency}"
        yield line
    missing = sum(phase.missing for phase in found.phases)
    assumed = missing - sum(phase.measured for phase in found.phases)
    if plan.prices is not None:
        low = sum(phase.cost.low for phase in found.phases)
        high = sum(phase.cost.high for phase in found.phases)
        total = f"total {missing:,} requests; {_money(Range(low, high))} {currency}"
        yield f"{total}; spent so far: {amount(found.spent)} {currency}"
    else:
        yield f"total {missing:,} requests; no cost, as the plan has no [prices]"
    if plan.limits.cost is not None:
        yield f"stops at {amount(plan.limits.cost)} {currency} in all (limits.cost)"
    if assumed:
        few, many = OUTPUT_TOKENS if plan.prices is None else plan.prices.output_tokens
        yield (
            f"of {assumed:,} requests the tokens are ASSUMED, not measured: one for each "
            f"{CHARACTERS_A_TOKEN} characters of prompt, {few:,} to {many:,} of output, reasoning "
            "included (prices.output_tokens). Collect a few trials first, then look again."
        )


def _others(plan: Plan, found: Preview) -> Iterator[str]:
    """Say what other settings were collected with here: their replies are not used."""
    ours = json.loads(plan.settings.to_json())
    for path, settings, count in found.others:
        names = [name for name in ours if settings.get(name) != ours[name]]
        there = ", ".join(f"{name} = {plain(json.dumps(settings.get(name)))}" for name in names)
        yield f"not used: {count:,} replies in {path.name}, collected with {there}"


def plain(text: str) -> str:
    """Return a text that a terminal shows and does not obey: control signs are escaped.

    >>> print(plain("red \\x1b[31m"))
    red \\x1b[31m
    """
    return "".join(
        sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode()
        for sign in text
    )


def _range(tokens: Range) -> str:
    low, high = f"{tokens.low:,.0f}", f"{tokens.high:,.0f}"
    return low if low == high else f"{low} to {high}"


def amount(cost: float) -> str:
    """Write an amount of money, with more decimals where it is small.

    >>> amount(1234.5), amount(0.00321), amount(0)
    ('1,234.50', '0.0032', '0.00')
    """
    return f"{cost:,.4f}" if 0 < cost < 0.1 else f"{cost:,.2f}"


def _money(cost: Range) -> str:
    low, high = amount(cost.low), amount(cost.high)
    return low if low == high else f"{low} to {high}"
