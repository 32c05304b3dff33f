"""A screen that may be plugged in later: drawn on as soon as it is there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from appliance.screen.pages import Page, Touch
from appliance.screen.window import NoDisplay, Screen
from appliance.settings import Settings
from vision.types import Image

RETRY_S = 3.0


class LateScreen:
    """`open_screen`: opens it, NoDisplay if there is none. `wait`: there need be none yet. `clock`: seconds,
    never running back."""

    def __init__(
        self, open_screen: Callable[[], Screen], *, wait: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open, self._clock = open_screen, clock
        self._settings: Settings | None = None
        self._screen: Screen | None = None
        self._next_try: float | None = None
        if not wait:
            self._screen = open_screen()

    def adopt(self, settings: Settings) -> None:
        """Goes on with these settings, now or as soon as there is a display."""
        self._settings = settings
        if self._screen is not None:
            self._screen.adopt(settings)

    def show(self, shown: Page, picture: Image | None = None) -> None:
        """Draws, if there is a display by now."""
        if self._screen is None and (self._next_try is None or self._clock() >= self._next_try):
            self._try()
        if self._screen is not None:
            self._screen.show(shown, picture)

    def _try(self) -> None:
        try:
            self._screen = self._open()
        except NoDisplay as reason:
            if self._next_try is None:
                print(f"kortstalis: no display: {reason}; it is looked for again", file=sys.stderr)
            self._next_try = self._clock() + RETRY_S
            return
        if self._settings is not None:
            self._screen.adopt(self._settings)

    def buttons(self) -> tuple[str | Touch, ...]:
        """The keyboard's buttons."""
        return self._screen.buttons() if self._screen is not None else ()

    def close(self) -> None:
        """Closes the window."""
        if self._screen is not None:
            self._screen.close()
