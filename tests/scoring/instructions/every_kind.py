"""Every instruction of IFBench and IFEval with parameters that it accepts, and items of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from reliable_change.scoring.verdict import Item

AT_LEAST = {"relation": "at least"}
IFBENCH = {
    "count:conjunctions": {"small_n": 3},
    "count:keywords_multiple": {f"keyword{n}": f"word{n}" for n in range(1, 6)},
    "count:numbers": {"N": 3},
    "count:person_names": {"N": 2},
    "count:pronouns": {"N": 4},
    "count:punctuation": {},
    "count:unique_word_count": {"N": 20},
    "count:word_count_range": {"min_words": 3, "max_words": 40},
    "count:words_japanese": {"N": 3},
    "custom:character_reverse": {},
    "custom:csv_city": {},
    "custom:csv_quotes": {},
    "custom:csv_special_character": {},
    "custom:date_format_list": {},
    "custom:european_capitals_sort": {},
    "custom:mcq_count_length": {},
    "custom:multiples": {},
    "custom:reverse_newline": {},
    "custom:sentence_alphabet": {},
    "custom:word_reverse": {},
    "format:emoji": {},
    "format:line_indent": {},
    "format:list": {"sep": "!?!?"},
    "format:newline": {},
    "format:no_bullets_bullets": {},
    "format:no_whitespace": {},
    "format:options": {"options": "yes/no/maybe"},
    "format:output_template": {},
    "format:parentheses": {},
    "format:quote_unquote": {},
    "format:quotes": {},
    "format:sub-bullets": {},
    "format:thesis": {},
    "format:title_case": {},
    "ratio:overlap": {"reference_text": "a plain reference", "percentage": 40},
    "ratio:sentence_balance": {},
    "ratio:sentence_type": {},
    "ratio:sentence_words": {},
    "ratio:stop_words": {"percentage": 30},
    "repeat:repeat_change": {"prompt_to_repeat": "Say it again"},
    "repeat:repeat_simple": {},
    "repeat:repeat_span": {"prompt_to_repeat": "one two three four", "n_start": 1, "n_end": 3},
    "sentence:alliteration_increment": {},
    "sentence:increment": {"small_n": 2},
    "sentence:keyword": {"word": "cat", "N": 2},
    "words:alphabet": {},
    "words:consonants": {},
    "words:keywords_specific_position": {"keyword": "cat", "n": 1, "m": 2},
    "words:last_first": {},
    "words:no_consecutive": {},
    "words:odd_even_syllables": {},
    "words:palindrome": {},
    "words:paragraph_last_first": {},
    "words:prime_lengths": {},
    "words:repeats": {"small_n": 2},
    "words:start_verb": {},
    "words:vowel": {},
    "words:words_position": {"keyword": "cat"},
}
IFEVAL = {
    "change_case:capital_word_frequency": {"capital_frequency": 2, "capital_relation": "at least"},
    "change_case:english_capital": {},
    "change_case:english_lowercase": {},
    "combination:repeat_prompt": {"prompt_to_repeat": "Say it again"},
    "combination:two_responses": {},
    "detectable_content:number_placeholders": {"num_placeholders": 2},
    "detectable_content:postscript": {"postscript_marker": "P.S."},
    "detectable_format:constrained_response": {},
    "detectable_format:json_format": {},
    "detectable_format:multiple_sections": {"section_spliter": "Section", "num_sections": 2},
    "detectable_format:number_bullet_lists": {"num_bullets": 2},
    "detectable_format:number_highlighted_sections": {"num_highlights": 2},
    "detectable_format:title": {},
    "keywords:existence": {"keywords": ["cat", "dog"]},
    "keywords:forbidden_words": {"forbidden_words": ["cat", "dog"]},
    "keywords:frequency": {"keyword": "cat", "frequency": 2, **AT_LEAST},
    "keywords:letter_frequency": {"letter": "c", "let_frequency": 2, "let_relation": "at least"},
    "language:response_language": {"language": "en"},
    "length_constraints:nth_paragraph_first_word": {
        "num_paragraphs": 2,
        "nth_paragraph": 1,
        "first_word": "cat",
    },
    "length_constraints:number_paragraphs": {"num_paragraphs": 2},
    "length_constraints:number_sentences": {"num_sentences": 2, **AT_LEAST},
    "length_constraints:number_words": {"num_words": 5, **AT_LEAST},
    "punctuation:no_comma": {},
    "startend:end_checker": {"end_phrase": "The end."},
    "startend:quotation": {},
}
EVERY_KIND = {**IFBENCH, **IFEVAL}
NEED_DATA = {
    "change_case:capital_word_frequency",
    "format:title_case",
    "length_constraints:number_sentences",
    "ratio:stop_words",
    "words:keywords_specific_position",
    "words:start_verb",
    "words:words_position",
}
WITHOUT_DATA = {name: rule for name, rule in EVERY_KIND.items() if name not in NEED_DATA}


def item(kinds: dict[str, dict | None], item_id: str = "1") -> Item:
    """An item with these instructions, in the shape that IFBench and IFEval have."""
    extra = {"instruction_id_list": list(kinds), "kwargs": list(kinds.values())}
    return Item("IFBench", item_id, "instruction", extra=extra)


def in_a_fresh_process(program: str, *, path: Path | None = None, **environment: str) -> str:
    """Run a program, with nothing in its environment but this, and return what it prints."""
    environment = {"PYTHONPATH": str(path or ""), "PATH": "", **environment}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout
