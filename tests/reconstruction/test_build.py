"""The archives as built: every printed table once more by other means, and red when disturbed.

What decides Tables 1, C.5 and F.9 is in the item counts, which test_check.py holds against them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reliable_change.archive.read import read_archive
from reliable_change.errors import ArchiveError, ReliableChangeError
from reliable_change.paths import ARCHIVES, PUBLISHED, RECONSTRUCTION
from reliable_change.published.tables import read_table
from reliable_change.reconstruction import build
from reliable_change.reconstruction.build import build_reconstruction, build_screening
from reliable_change.reconstruction.check import read_items
from reliable_change.stats.draw import SINGLE_DRAW_SEED, draw_trial

MODELS = ["gpt-5.4", "gpt-5.5", "gpt-5.6-sol"]
EDGES = [(0, 1), (1, 2), (0, 2)]
BUILDS = {"reconstruction": build_reconstruction, "screening": build_screening}
KEY = ["benchmark", "item_id", "model", "trial"]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("archives")
    return {name: make(folder / name) for name, make in BUILDS.items()}


@pytest.fixture
def scores(built) -> pd.DataFrame:
    return pd.read_parquet(built["reconstruction"] / "scores.parquet")


@pytest.fixture
def tokens(built) -> pd.DataFrame:
    found = pd.read_parquet(built["reconstruction"] / "responses.parquet")
    return found.assign(total=found.input_tokens + found.output_tokens)


@pytest.fixture
def screened(built) -> pd.DataFrame:
    return pd.read_parquet(built["screening"] / "scores.parquet")


def minus(text: str) -> str:
    return text.replace("-", "−")


def differing(table: str, made: pd.DataFrame) -> int:
    """Cells in which a table made here is not the printed text; rows and columns must agree."""
    printed = read_table(table)
    made = made[[c for c in printed.columns if c in made.columns]]
    assert len(made) == len(printed)
    assert len(made.columns) > 2
    cells = printed[made.columns].to_numpy() != made.astype(str).to_numpy()
    return int(cells.sum())


def table_e8(scores: pd.DataFrame) -> pd.DataFrame:
    made = read_table("table_e8")[["benchmark", "model"]]
    pairs = list(zip(scores.benchmark, scores.model, scores.category, strict=True))
    counts = pd.Series(pairs).value_counts()
    for column in read_table("table_e8").columns[3:]:
        made[column] = [
            str(counts.get((b, m, column), 0))
            for b, m in zip(made.benchmark, made.model, strict=True)
        ]
    return made


def table_d6(tokens: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for benchmark, model in read_table("table_d6")[["benchmark", "model"]].to_numpy():
        part = tokens[(tokens.benchmark == benchmark) & (tokens.model == model)]
        quantiles = np.percentile(part.total, [50, 5, 95])
        means = (part.input_tokens.mean(), part.output_tokens.mean(), part.total.mean())
        rows.append(
            (benchmark, model, *(f"{m:.1f}" for m in means), *(f"{q:g}" for q in quantiles))
        )
    return pd.DataFrame(rows, columns=read_table("table_d6").columns)


def table_d7(tokens: pd.DataFrame) -> pd.DataFrame:
    mean = tokens.groupby(["benchmark", "model"]).total.mean()
    rows = []
    for edge, benchmark in read_table("table_d7")[["edge", "benchmark"]].to_numpy():
        source, target = (mean[benchmark, m] for m in edge.split("→"))
        rows.append(
            (edge, benchmark, f"{source:.1f}", f"{target:.1f}", minus(f"{target - source:+.1f}"))
        )
    return pd.DataFrame(rows, columns=read_table("table_d7").columns)


def table_a2(screened: pd.DataFrame) -> pd.DataFrame:
    share = screened.groupby(["benchmark", "item_id", "model"]).correct.mean()
    marked = share.between(0.1, 0.9).groupby(["benchmark", "item_id"]).any()
    made = read_table("table_a2")[["slot", "candidate"]]
    sums = [(int(marked[c].sum()), len(marked[c])) for c in made.candidate]
    made["estimable"] = [f"{k}/{n}" for k, n in sums]
    made["share"] = [f"{100 * k / n:.1f}" for k, n in sums]
    return made


def table_b3(scores: pd.DataFrame) -> pd.DataFrame:
    """The raw flips of Table B.3, from one trial of each item and model."""
    correct = scores.set_index(KEY).correct
    names = scores[["benchmark", "item_id"]].drop_duplicates().to_numpy()
    drawn = np.array(
        [
            [correct[b, i, m, draw_trial(SINGLE_DRAW_SEED, b, i, m, 50)] for m in MODELS]
            for b, i in names
        ]
    )
    rows = []
    for s, t in EDGES:
        for benchmark in read_table("table_b3").benchmark.unique():
            one, two = drawn[names[:, 0] == benchmark][:, [s, t]].T
            flips = ((~one & two).sum(), (one & ~two).sum())
            rows.append((f"{MODELS[s]}→{MODELS[t]}", benchmark, *flips))
    columns = ["edge", "benchmark", "incorrect_to_correct", "correct_to_incorrect"]
    return pd.DataFrame(rows, columns=columns)


def section_4_3(scores: pd.DataFrame) -> list[float]:
    """R, ΔR, and both declines of the last edge, in points as printed."""
    part = scores[scores.benchmark == "IFBench"]
    strict, loose = (part.groupby("model")[c].sum() for c in ("correct", "correct_loose"))
    gap = [100 * (loose[m] - strict[m]) / 15000 for m in MODELS]
    falls = [100 * (x["gpt-5.5"] - x["gpt-5.6-sol"]) / 15000 for x in (strict, loose)]
    rounded = [round(x, 1) for x in gap] + [round(gap[t] - gap[s], 1) for s, t in EDGES]
    return [*rounded, round(falls[0], 1), round(falls[1], 2)]


PRINTED_4_3 = [6.3, 5.1, 9.0, -1.2, 3.9, 2.7, 3.9, 0.04]


def test_every_table_prints(scores, tokens, screened):
    assert differing("table_e8", table_e8(scores)) == 0
    assert differing("table_d6", table_d6(tokens)) == 0
    assert differing("table_d7", table_d7(tokens)) == 0
    assert differing("table_a2", table_a2(screened)) == 0
    assert differing("table_b3", table_b3(scores)) == 0
    assert section_4_3(scores) == PRINTED_4_3


def test_one_category_more_turns_e8_red(scores):
    row = scores.index[scores.category == "wrong"][0]
    scores.loc[row, "category"] = "refusal"
    assert differing("table_e8", table_e8(scores)) == 2


def test_a_few_tokens_turn_d6_and_d7_red(tokens):
    mine = (tokens.benchmark == "IFBench") & (tokens.model == "gpt-5.5")
    tokens.loc[mine, "total"] += 1
    assert differing("table_d6", table_d6(tokens)) == 4
    assert differing("table_d7", table_d7(tokens)) == 4


def test_one_long_reply_turns_a_mean_red(tokens):
    row = tokens.index[(tokens.benchmark == "Omni-MATH hard") & (tokens.model == "gpt-5.6-sol")][0]
    tokens.loc[row, ["output_tokens", "total"]] += 1000
    assert differing("table_d6", table_d6(tokens)) > 0
    assert differing("table_d7", table_d7(tokens)) > 0


def test_two_loose_verdicts_turn_section_4_3_red(scores):
    mine = scores.index[
        (scores.model == "gpt-5.6-sol")
        & (scores.category == "wrong")
        & (scores.benchmark == "IFBench")
    ]
    scores.loc[mine[:2], "correct_loose"] = True
    assert section_4_3(scores)[-1] == 0.03


def test_one_stable_item_turns_a2_red(screened):
    share = screened.groupby(["benchmark", "item_id"]).correct.mean()
    item = share[share.between(0.1, 0.9)].index[0]
    rows = (screened.benchmark == item[0]) & (screened.item_id == item[1])
    screened.loc[rows, "correct"] = True
    assert differing("table_a2", table_a2(screened)) == 2


def test_one_drawn_verdict_turns_b3_red(scores):
    item = scores[(scores.benchmark == "IFBench") & (scores.model == "gpt-5.5")].iloc[0]
    at = draw_trial(SINGLE_DRAW_SEED, item.benchmark, item.item_id, item.model, 50)
    row = (scores[KEY[:3]] == item[KEY[:3]]).all(axis=1) & (scores.trial == at)
    scores.loc[row, "correct"] = ~scores.loc[row, "correct"]
    assert differing("table_b3", table_b3(scores)) == 2


def test_solved_counts_and_verdicts_are_kept(scores):
    items = read_items(RECONSTRUCTION / "items.csv").set_index(["benchmark", "item_id"])
    counts = scores.groupby(KEY[:3]).correct.sum().unstack()
    for model in MODELS:
        assert counts[model].reindex(items.index).tolist() == items[f"correct_{model}"].tolist()


@pytest.mark.parametrize("name", BUILDS)
def test_the_committed_archive_is_what_is_built(name, built):
    """Content, not bytes: another pyarrow may write other bytes."""
    committed, made = read_archive(ARCHIVES / name), read_archive(built[name])
    # The sums of files and the package's version may be others; all else is the same.
    mine, theirs = (a.manifest.to_dict() | {"code_version": ""} for a in (made, committed))
    assert list(mine.pop("files")) == list(theirs.pop("files"))
    assert mine == theirs
    pd.testing.assert_frame_equal(made.items, committed.items)
    pd.testing.assert_frame_equal(made.scores(), committed.scores())
    if name == "reconstruction":
        pd.testing.assert_frame_equal(made.responses(), committed.responses())


@pytest.mark.parametrize("name", BUILDS)
def test_the_manifest_says_that_it_is_synthetic(name, built):
    manifest = json.loads((built[name] / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["kind"] == "reconstruction"
    assert manifest["description"].startswith("Synthetic: ")
    assert "No request was made" in manifest["description"]
    assert manifest["request"] is None
    assert manifest["licence"] == "CC0-1.0"
    assert manifest["short_labels"] == {"gpt-5.4": "5.4", "gpt-5.5": "5.5", "gpt-5.6-sol": "Sol"}


def test_nothing_is_said_to_have_been_returned(built, scores, tokens):
    filled = {*KEY, "input_tokens", "output_tokens", "total"}
    assert tokens.drop(columns=list(filled)).isna().all(axis=None)
    assert tokens[list(filled)].notna().all(axis=None)
    items = pd.read_parquet(built["reconstruction"] / "items.parquet")
    assert items[["prompt", "reference", "extra"]].isna().all(axis=None)
    assert scores[["extracted", "score", "unscored_reason"]].isna().all(axis=None)
    assert scores.correct_loose.notna().equals(scores.benchmark == "IFBench")


def test_strata_and_tasks(built):
    archive = read_archive(built["reconstruction"])
    assert list(archive.manifest.strata) == ["SuperGPQA", "Omni-MATH hard"]
    printed = read_table("table_f9")
    for benchmark, columns in archive.manifest.strata.items():
        for column, levels in columns.items():
            rows = printed[(printed.benchmark == benchmark) & (printed.stratum == column)]
            assert list(levels) == list(rows.level)
    tasks = archive.items.groupby("benchmark").task.unique().map(list).to_dict()
    assert tasks == {
        "SuperGPQA": ["multiple_choice"],
        "Omni-MATH hard": ["math"],
        "IFBench": ["instruction"],
    }


def test_only_complexbench_is_incomplete(built):
    archive = read_archive(built["screening"])
    assert not archive.manifest.complete
    (sentence,) = archive.manifest.incomplete
    assert sentence.startswith("ComplexBench: ")
    lost = archive.missing
    assert set(lost.benchmark) == {"ComplexBench"}
    assert set(lost.model) == {"gpt-5.6-sol"}
    assert f"here {(lost.expected - lost.found).sum()} of 300 trials" in sentence
    slots = read_table("table_a2").set_index("candidate").slot.to_dict()
    assert archive.manifest.slots == slots
    assert list(archive.manifest.benchmarks) == list(slots)


def test_a_screening_that_completed_would_be_complete(tmp_path):
    shutil.copytree(PUBLISHED, tmp_path / "published")
    table = tmp_path / "published" / "table_a2.csv"
    text = table.read_text(encoding="utf-8")
    assert text.count("Incomplete") == 1
    table.write_text(text.replace("Incomplete", "Not selected"), encoding="utf-8")
    archive = read_archive(build_screening(tmp_path / "s", published=tmp_path / "published"))
    assert archive.manifest.complete
    assert archive.manifest.incomplete == ()
    assert archive.missing.empty


def test_the_committed_archives_are_small():
    sizes = [f.stat().st_size for n in BUILDS for f in (ARCHIVES / n).iterdir()]
    assert len(sizes) == 7
    assert sum(sizes) < 1_000_000


def test_an_archive_is_replaced_only_when_asked(tmp_path):
    folder = build_screening(tmp_path / "s")
    with pytest.raises(ArchiveError, match="exists"):
        build_screening(folder)
    assert build_screening(folder, replace=True) == folder


def test_items_that_do_not_fit_are_refused(tmp_path):
    items = read_items(RECONSTRUCTION / "items.csv")
    row = items.index[(items.benchmark == "IFBench") & (items["correct_gpt-5.4"] == 50)][0]
    items.loc[row, "correct_gpt-5.4"] = 49
    items.to_csv(tmp_path / "items.csv", index=False)
    with pytest.raises(ReliableChangeError, match="IFBench, gpt-5.4: 9417 correct trials"):
        build_reconstruction(tmp_path / "a", items_file=tmp_path / "items.csv")
    assert not (tmp_path / "a").exists()


def test_main_writes_both_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(build, "ARCHIVES", tmp_path)
    assert build.main() == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines()] == list(BUILDS)
    for name in BUILDS:
        read_archive(tmp_path / name)


def test_main_reports_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(build, "ARCHIVES", tmp_path)

    def refuse(folder: Path, *, replace: bool) -> Path:
        raise ReliableChangeError("items.csv: not today")

    monkeypatch.setattr(build, "build_reconstruction", refuse)
    assert build.main() == 1
    assert capsys.readouterr().err == "items.csv: not today\n"
