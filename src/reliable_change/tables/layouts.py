"""The nine tables of the paper: their columns, headings and groups of rows."""

from __future__ import annotations

from operator import itemgetter

import pandas as pd

from reliable_change.published.numbers import format_number, is_missing
from reliable_change.tables.layout import (
    ARROW,
    Column,
    Labels,
    Layout,
    Record,
    edge_ends,
    number,
)
from reliable_change.tables.phrase import (
    DELTA,
    EPSILON,
    NULL95,
    P_CHANGED,
    P_IMPROVED,
    P_REGRESSED,
    Phrase,
    one_line,
)

SHARE, CHANGE, COUNT = number(1), number(1, sign=True), number(0)
CLASS_NAMES = {
    "improved": "Reliably improved",
    "regressed": "Reliably regressed",
    "equivalent": "Practically equivalent",
    "inconclusive": "Inconclusive",
    "not testable": "Not testable",
    "total": "Total",
}
NOT_TESTED: Phrase = "Not test.: number of items without a scored trial on one side, in no share."
UNSCORED: Phrase = "Unscored: responses that could not be scored, in no category."


def as_text(value: object, labels: Labels) -> str:
    """A text as it is."""
    return str(value)


def as_label(value: object, labels: Labels) -> str:
    """A model or a benchmark by its label."""
    return labels.label(value)


def as_edge(value: str, labels: Labels) -> str:
    """An edge by its models' short labels."""
    return labels.edge_label(edge_ends(value))


def as_class(value: str, labels: Labels) -> str:
    """An item's class in words."""
    return CLASS_NAMES.get(value, value)


def as_epsilon(value: float, labels: Labels) -> str:
    """A threshold with two decimals, or with as many as it has.

    >>> as_epsilon(0.1, None), as_epsilon(0.125, None)
    ('0.10', '0.125')
    """
    digits = len(format_number(value, 9).rstrip("0").partition(".")[2])
    return format_number(value, max(2, digits))


def stratum_name(record: Record) -> str | None:
    """A stratum in words: a discipline by its bare name, any other level with its kind.

    >>> stratum_name({"stratum": "difficulty", "level": "easy"})
    'Difficulty easy'
    """
    stratum, level = record["stratum"], record["level"]
    if is_missing(stratum) or is_missing(level):
        return None
    return str(level) if stratum == "discipline" else f"{stratum[:1].upper()}{stratum[1:]} {level}"


def all_trials(labels: Labels) -> str:
    """How headings call the procedure that uses every trial: by K, if there is one K."""
    trials = getattr(labels, "trials_per_item", None)
    return f"K={trials}" if trials else "All-trial"


def model_columns(frame: pd.DataFrame, labels: Labels) -> list[Column]:
    """Table F.9's columns of accuracies: whatever is neither a key nor an edge."""
    keys = {"benchmark", "stratum", "level", "items"}
    names = [n for n in frame.columns if n not in keys and not _is_edge(n, frame)]
    return [Column(n, one_line(labels.short_label(n)), SHARE) for n in names]


def edge_columns(frame: pd.DataFrame, labels: Labels) -> list[Column]:
    """Table F.9's columns of changes."""
    names = [n for n in frame.columns if _is_edge(n, frame)]
    return [Column(n, (DELTA, one_line(as_edge(n, labels))), CHANGE) for n in names]


def _is_edge(name: str, frame: pd.DataFrame) -> bool:
    return ARROW in name and all(end in frame.columns for end in edge_ends(name))


EDGE = Column("edge", "Edge", as_edge, key=True, merge=True)
BENCHMARK = Column("benchmark", "Benchmark", as_label, key=True)
BENCHMARK_GROUP = Column("benchmark", "Benchmark", as_label, key=True, merge=True)
MODEL = Column("model", "Model", as_label, key=True)
RELIABLE_SHARES = (
    Column("improved", P_IMPROVED, SHARE),
    Column("regressed", P_REGRESSED, SHARE),
    Column("changed", P_CHANGED, SHARE),
)
FLIPS = (
    Column("incorrect_to_correct", "I→C", COUNT),
    Column("correct_to_incorrect", "C→I", COUNT),
)

TABLE_1 = Layout(
    "table_1",
    (
        "What each migration changes. ", DELTA, ": difference of the mean strict accuracies, in "
        "percentage points, taken before rounding. ", P_IMPROVED, ", ", P_REGRESSED, " and ",
        P_CHANGED, ": percentage of items reliably improved, reliably regressed, and either of "
        "the two. Equiv. and Incon.: percentage of items practically equivalent and "
        "inconclusive. ", NULL95, ": 95th percentile of ", P_CHANGED, " when the model labels "
        "of the trials are permuted at random.",
    ),
    (
        EDGE,
        BENCHMARK,
        Column("delta", DELTA, CHANGE),
        *RELIABLE_SHARES,
        Column("equivalent", "Equiv.", SHARE),
        Column("inconclusive", "Incon.", SHARE),
        Column("null95", NULL95, SHARE),
        Column("not_testable", "Not test.", COUNT, optional=True, note=NOT_TESTED),
    ),
    rule_at=itemgetter("edge"),
)  # fmt: skip

TABLE_A2 = Layout(
    "table_a2",
    "Screening of candidate benchmarks. Estimable: items on which at least one model is right in "
    "10 to 90 percent of its trials, out of the items screened. In each slot the candidate with "
    "the largest share is selected, if its screening is complete and the share is at least "
    "35 percent.",
    (
        Column("slot", "Slot", as_text, key=True, merge=True),
        Column("candidate", "Candidate", as_label, key=True),
        Column("estimable", "Estimable", as_text),
        Column("share", "Share (%)", SHARE),
        Column("outcome", "Outcome", as_text, left=True),
    ),
    rule_at=itemgetter("slot"),
)

TABLE_B3 = Layout(
    "table_b3",
    "What one draw per item and model shows: reliable changes found from all trials and from the "
    "single draws, and raw flips from the source's draw to the target's (I→C: incorrect, then "
    "correct; C→I: correct, then incorrect).",
    (
        EDGE,
        BENCHMARK,
        Column("items", "Items", COUNT),
        Column("reliable", lambda labels: f"{all_trials(labels)} rel. changes", COUNT),
        Column("single_draw_reliable", "Single-draw rel. changes", COUNT),
        *FLIPS,
    ),
    rule_at=itemgetter("edge"),
)

TABLE_B4 = Layout(
    "table_b4",
    "Raw flips between single draws, counted by the class that all trials give the item; every "
    "item counts once for each edge.",
    (
        Column("class", lambda labels: f"{all_trials(labels)} classification", as_class, key=True),
        *FLIPS,
        Column("unchanged", "Unchanged", COUNT),
        Column("total", "Total", COUNT),
    ),
    rule_at=lambda record: record["class"] == "total",
)

TABLE_C5 = Layout(
    "table_c5",
    (
        "Percentage of items reliably improved (", P_IMPROVED, "), reliably regressed (",
        P_REGRESSED, ") and either (", P_CHANGED, ") in each cell as the practical-significance "
        "threshold ", EPSILON, " varies and the test stays the same.",
    ),
    (
        EDGE,
        BENCHMARK_GROUP,
        Column("epsilon", EPSILON, as_epsilon, key=True),
        *RELIABLE_SHARES,
    ),
    rule_at=itemgetter("edge"),
    space_at=itemgetter("benchmark"),
)  # fmt: skip

TABLE_D6 = Layout(
    "table_d6",
    "Tokens per request: means of input and of output tokens, and mean, median, 5th and 95th "
    "percentile of their sum.",
    (
        BENCHMARK_GROUP,
        MODEL,
        Column("input_mean", "Input", SHARE, spanner="Mean"),
        Column("output_mean", "Output", SHARE, spanner="Mean"),
        Column("total_mean", "Mean", SHARE, spanner="Total tokens"),
        Column("total_median", "Median", COUNT, spanner="Total tokens"),
        Column("total_p5", "P5", COUNT, spanner="Total tokens"),
        Column("total_p95", "P95", COUNT, spanner="Total tokens"),
    ),
    rule_at=itemgetter("benchmark"),
)

TABLE_D7 = Layout(
    "table_d7",
    "What each migration does to the mean of total tokens per request; changes are taken before "
    "rounding.",
    (
        EDGE,
        BENCHMARK,
        Column("source_mean", "Source", SHARE),
        Column("target_mean", "Target", SHARE),
        Column("change", "Change", CHANGE),
    ),
    rule_at=itemgetter("edge"),
)

TABLE_E8 = Layout(
    "table_e8",
    "Number of responses in each of the six categories; N is their sum.",
    (
        BENCHMARK_GROUP,
        MODEL,
        Column("n", "N", COUNT),
        Column("correct", "Correct", COUNT),
        Column("wrong", "Wrong", COUNT),
        Column("format_failure", "Format", COUNT),
        Column("refusal", "Refusal", COUNT),
        Column("truncation", "Trunc.", COUNT),
        Column("api_error", "API err.", COUNT),
        Column("unscored", "Unscored", COUNT, optional=True, note=UNSCORED),
    ),
    rule_at=itemgetter("benchmark"),
)

TABLE_F9 = Layout(
    "table_f9",
    (
        "Mean strict accuracy of each model (percent) and change on each edge (", DELTA,
        ", percentage points, taken before rounding) within strata that a benchmark itself "
        "defines.",
    ),
    (
        BENCHMARK_GROUP,
        Column("level", "Stratum", as_text, key=True, value=stratum_name),
        Column("items", "Items", COUNT),
        model_columns,
        edge_columns,
    ),
    rule_at=itemgetter("benchmark"),
    space_at=itemgetter("stratum"),
)  # fmt: skip

LAYOUTS = {
    layout.name: layout
    for layout in (
        TABLE_1, TABLE_A2, TABLE_B3, TABLE_B4, TABLE_C5, TABLE_D6, TABLE_D7, TABLE_E8, TABLE_F9
    )
}  # fmt: skip
