"""The languages of the screen: gettext catalogues, Lithuanian (the default) and English.

The catalogues are `.po` files, read as they are. Domain `kortstalis`: what the program says, by its
English sentence. Domain `rules`: the rules by their number (`DZ-7`, `DZ-7.short`, `DZ-7.example`).
"""

from __future__ import annotations

import functools
import gettext
import io
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = ("lt", "en")
DEFAULT = "lt"
FOLDER = Path(__file__).parent


@functools.cache
def catalogue(language: str, domain: str = "kortstalis") -> gettext.NullTranslations:
    """A language's catalogue of a domain (ValueError for a language that there is none of)."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}: there is {', '.join(LANGUAGES)}")
    path = FOLDER / language / "LC_MESSAGES" / f"{domain}.po"
    with path.open("rb") as source:
        messages = read_po(source, locale=language, domain=domain)
    compiled = io.BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class Language:
    """What the program says, in one language.

    >>> Language("en")("Deal {number}").format(number=3)
    'Deal 3'
    """

    def __init__(self, code: str = DEFAULT) -> None:
        self.code = code
        self._texts = catalogue(code)
        self._rules = catalogue(code, "rules")

    def __call__(self, text: str) -> str:
        return self._texts.gettext(text)

    def count(self, one: str, several: str, number: int) -> str:
        """The form of a phrase for a number, with the number in it (`{n}`)."""
        return self._texts.ngettext(one, several, number).format(n=number)

    def rule(self, number: str) -> str:
        """The text of a rule."""
        return self._rule(number, "")

    def rule_short(self, number: str) -> str:
        """A rule in a few words, for the banner."""
        return self._rule(number, ".short")

    def rule_example(self, number: str) -> str:
        """An example of a rule."""
        return self._rule(number, ".example")

    def _rule(self, number: str, part: str) -> str:
        text = self._rules.gettext(number + part)
        return "" if text == number + part else text
