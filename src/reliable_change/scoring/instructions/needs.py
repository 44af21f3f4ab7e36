"""What verifiers need beyond their package: data of NLTK's, and how to get it."""

from __future__ import annotations

# Name to download, and where NLTK finds what the verifiers use of it.
_PLACES = {
    "punkt_tab": "tokenizers/punkt_tab/english",
    "stopwords": "corpora/stopwords/english",
    "averaged_perceptron_tagger_eng": "taggers/averaged_perceptron_tagger_eng",
}
_NEEDS = {
    "change_case:capital_word_frequency": ("punkt_tab",),
    "format:title_case": ("punkt_tab",),
    "length_constraints:number_sentences": ("punkt_tab",),
    "ratio:stop_words": ("stopwords",),
    "words:keywords_specific_position": ("punkt_tab",),
    "words:start_verb": ("punkt_tab", "averaged_perceptron_tagger_eng"),
    "words:words_position": ("punkt_tab",),
}


def what_is_missing(instruction_id: str) -> str | None:
    """Say what an instruction's verifier lacks here and the command that gets it, or None.

    It is asked before any text is read: a verifier that needs its data for some replies only
    would otherwise leave out just those.
    """
    lacking = [name for name in _NEEDS.get(instruction_id, ()) if not _is_here(name)]
    return advice(instruction_id, lacking) if lacking else None


def advice(instruction_id: str, lacking: list[str]) -> str:
    """Name what is lacking and the command that gets it.

    >>> advice("words:start_verb", ["punkt_tab"])
    "words:start_verb needs NLTK's punkt_tab: .venv/bin/python -m nltk.downloader punkt_tab"
    """
    names = " ".join(lacking)
    # The project's own python, by its path in the folder: another would fill another's place.
    return f"{instruction_id} needs NLTK's {names}: .venv/bin/python -m nltk.downloader {names}"


def _is_here(name: str) -> bool:
    import nltk

    try:
        nltk.data.find(_PLACES[name])
    except LookupError:
        return False
    return True
