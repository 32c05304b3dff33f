"""The screen itself: a window, a display without a desktop, or only pictures."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import pygame

from appliance.language import Language
from appliance.screen.canvas import Canvas, Letters
from appliance.screen.draw import draw
from appliance.screen.pages import Page, Touch
from appliance.screen.table import SCORE_PART
from appliance.screen.theme import DARK, LIGHT, Palette, Theme
from appliance.settings import Settings
from vision.types import Image

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080))
_KEYS = {
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "up",
    pygame.K_RIGHT: "down",
    pygame.K_RETURN: "ok",
    pygame.K_KP_ENTER: "ok",
    pygame.K_SPACE: "ok",
    pygame.K_ESCAPE: "back",
    pygame.K_BACKSPACE: "back",
    pygame.K_d: "dispute",
}


class NoDisplay(Exception):
    """There is no display to open a window on."""


class Screen:
    """Draws what is shown, into a window if there is one. Call from one thread.

    `window` False: nothing is opened, pictures can be taken all the same. NoDisplay if a window is
    wanted and cannot be had.
    """

    def __init__(
        self, size: tuple[int, int], language: Language, *, window: bool, letters: Letters = "TKDV",
        palette: Palette = DARK,
    ) -> None:  # fmt: skip
        self.language = language
        self._size = size
        self._theme = Theme(size, palette)
        self._letters = letters
        self._four_colours = False
        self._rotation = 0
        self._drawn: Page | None = None
        self._canvas: Canvas | None = None
        if window:
            _open_display(size)
            self._surface = pygame.display.get_surface() or pygame.Surface(size)
            pygame.display.set_caption("Kortstalis")
        else:
            pygame.font.init()
            self._surface = pygame.Surface(size)
        self._window = window
        self._page = self._surface

    def adopt(self, settings: Settings) -> None:
        """Goes on with these settings: language, indices, colours, rotation."""
        self.language = Language(settings.language)
        self._letters = settings.indices
        self._four_colours = settings.suits == "four"
        self._rotation = settings.rotation
        size = self._size if settings.rotation % 180 == 0 else (self._size[1], self._size[0])
        self._theme = Theme(size, LIGHT if settings.look == "light" else DARK)
        self._page = self._surface if settings.rotation == 0 else pygame.Surface(size)
        self._drawn = self._canvas = None

    def show(self, shown: Page, picture: Image | None = None) -> None:
        """Draws, if anything has changed. `picture`: the camera's, shown small in a corner of the table."""
        if shown == self._drawn and picture is None:
            return
        self._canvas = Canvas(self._page, self._theme, self._letters, self._four_colours)
        draw(self._canvas, shown, self.language)
        if picture is not None and not self._theme.tall:
            self._draw_picture(picture)
        if self._page is not self._surface:
            self._surface.blit(pygame.transform.rotate(self._page, -self._rotation), (0, 0))
        self._drawn = shown
        if self._window:
            pygame.display.flip()

    def _draw_picture(self, picture: Image) -> None:
        """The camera's picture at the foot of the score."""
        width = round(self._theme.size[0] * SCORE_PART) - self._theme.px(36)
        height = width * picture.shape[0] // picture.shape[1]
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        image = pygame.image.frombuffer(small[..., ::-1].tobytes(), (width, height), "RGB")
        self._page.blit(image, (self._theme.px(18), self._theme.size[1] - height - self._theme.px(18)))

    def buttons(self) -> tuple[str | Touch, ...]:
        """The buttons pressed on the keyboard since the last call, and a touch (or click) of what was drawn;
        `quit` when the window was closed. Of several touches the first: the others were not made on what
        it leads to."""
        if not self._window:
            return ()
        pressed: list[str | Touch] = []
        touch: Touch | None = None
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                pressed.append("quit")
            elif event.type == pygame.KEYDOWN and event.key in _KEYS:
                pressed.append(_KEYS[event.key])
            elif touch is None and (touch := self._touch(event)) is not None:
                pressed.append(touch)
        return tuple(pressed)

    def _touch(self, event: pygame.event.Event) -> Touch | None:
        """What a finger or the mouse has pointed at."""
        width, height = self._surface.get_size()
        if event.type == pygame.FINGERDOWN:  # in parts of the window
            at = int(event.x * width), int(event.y * height)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and not event.dict.get("touch"):
            at = event.pos
        else:
            return None
        if self._canvas is None or self._drawn is None:
            return None
        buttons = self._canvas.touched(unturned(at, (width, height), self._rotation))
        return Touch(self._drawn, buttons) if buttons else None

    def save(self, path: Path) -> None:
        """The last picture drawn, as a PNG."""
        pygame.image.save(self._surface, str(path))

    def close(self) -> None:
        """Closes the window."""
        if self._window:
            pygame.display.quit()


def unturned(at: tuple[int, int], size: tuple[int, int], rotation: int) -> tuple[int, int]:
    """Where a pixel of a screen of this size lies on the page that is shown turned clockwise by `rotation`
    degrees."""
    x, y = at
    right, bottom = size[0] - 1, size[1] - 1
    return {0: (x, y), 90: (y, right - x), 180: (right - x, bottom - y), 270: (bottom - y, x)}[rotation]


def has_display() -> bool:
    """Whether a window could be opened: a desktop, or a display without one."""
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return False
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return any(Path("/dev/dri").glob("card*")) and os.environ.get("SDL_VIDEODRIVER", "kmsdrm") == "kmsdrm"


def _open_display(size: tuple[int, int]) -> None:
    if not has_display():
        raise NoDisplay("there is no display")
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("SDL_VIDEODRIVER", "kmsdrm")
    try:
        pygame.display.init()
        pygame.font.init()
        if pygame.display.get_driver() in ("dummy", "offscreen"):
            pygame.display.quit()
            raise NoDisplay("the display cannot be opened")
        pygame.display.set_mode(size)
    except pygame.error as error:
        pygame.display.quit()  # else a screen that is plugged in later is not looked for
        raise NoDisplay(str(error)) from None
