"""The table view: the score, whose turn it is, what lies on the table, and what is said."""

from __future__ import annotations

import pygame

from appliance.language import Language
from appliance.screen.canvas import Canvas
from appliance.screen.felt import draw_felt
from appliance.screen.frame import FOOT, WHITE, answers_height, cut, draw_answers, draw_hints, draw_rows
from appliance.screen.model import NO_HINTS, Banner, Choice, Shown, Tone
from appliance.screen.score import draw_score
from engine.view import View

SCORE_PART = 0.27
"""The part of the screen's width that the score takes."""
_SCORE_BAND = 0.24
"""The part of the height of an upright screen that the score takes."""

_HEAD = 60
_SAID = 112
_STRIP = 4
"""So many answers are asked below the felt; more in a panel on it."""


def draw_table(canvas: Canvas, shown: Shown, language: Language) -> None:
    """Draws the whole view."""
    theme, palette = canvas.theme, canvas.theme.palette
    width, height = theme.size
    canvas.fill(palette.table)
    if theme.tall:
        score = pygame.Rect(0, 0, width, round(height * _SCORE_BAND))
        rest = pygame.Rect(0, score.bottom, width, height - score.height)
    else:
        score = pygame.Rect(0, 0, round(width * SCORE_PART), height)
        rest = pygame.Rect(score.right, 0, width - score.width, height)
    draw_score(canvas, score, shown, language)
    hints = pygame.Rect(rest.left, rest.bottom, rest.width, 0)
    if shown.hints != NO_HINTS:
        rest, hints = cut(rest, rest.height - theme.px(FOOT))
    choice = shown.choice
    strip = choice is not None and len(choice.answers) <= (_STRIP if not theme.tall else 3)
    foot_height = theme.px(_SAID) if shown.banner is not None or not strip else 0
    if strip and choice is not None:
        foot_height += theme.px(64) + answers_height(canvas, choice.answers) + theme.px(20)
    felt, foot = cut(rest, rest.height - foot_height)
    if strip and choice is not None:
        above = foot.height - theme.px(_SAID) if shown.banner is not None else foot.height
        asked, foot = cut(foot, above)
        _draw_strip(canvas, asked, choice)
    facts = _facts(canvas, shown.view, language)
    if facts:
        head, felt = cut(felt, theme.px(_HEAD))
        _draw_facts(canvas, head, facts)
    draw_felt(canvas, felt.inflate(-theme.px(16), -theme.px(16)), shown, language)
    if shown.banner is not None:
        _draw_banner(canvas, foot, shown.banner)
        if choice is None and shown.hints != NO_HINTS:
            canvas.target(foot, "ok")
    elif not strip:
        inside = foot.inflate(-theme.px(36), -theme.px(16))
        canvas.text(shown.waiting, inside, 32, palette.text, bold=True, align="middle", lines=2)
    if choice is not None and not strip:
        canvas.veil()
        area = pygame.Rect(rest.left, rest.top, rest.width, rest.height)
        if shown.banner is not None:
            area.height = foot.top - area.top
        _draw_choice(canvas, area.inflate(-theme.px(48), -theme.px(24)), choice)
    if hints.height:
        draw_hints(canvas, hints, shown.hints)


def _facts(canvas: Canvas, view: View, language: Language) -> list[tuple[str, str]]:
    """What the table has fixed for all: the Sekliai, trumps of everybody."""
    facts = []
    for fact in view.named:
        if fact.rank is not None:
            facts.append((language("Sekliai"), canvas.rank(str(fact.rank))))
        elif fact.suits and fact.seat is None:
            facts.append((language("Trumps"), " ".join(map(str, fact.suits))))
    return facts


def _draw_facts(canvas: Canvas, box: pygame.Rect, facts: list[tuple[str, str]]) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    each = box.width // len(facts)
    for n, (label, value) in enumerate(facts):
        cell = pygame.Rect(box.left + n * each, box.top + theme.px(8), each, box.height - theme.px(8))
        left = pygame.Rect(cell.left + theme.px(8), cell.top, cell.width // 2 - theme.px(16), cell.height)
        right = pygame.Rect(cell.centerx, cell.top, cell.width // 2, cell.height)
        canvas.text(label, left, 26, palette.quiet, align="right")
        canvas.text(value, right, 40, palette.turn, bold=True)


def _draw_banner(canvas: Canvas, box: pygame.Rect, banner: Banner) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    colour = {
        Tone.WRONG: palette.wrong,
        Tone.PROVED: palette.wrong,
        Tone.GOOD: palette.good,
        Tone.NEWS: palette.open,
    }[banner.tone]
    pygame.draw.rect(canvas.surface, colour, box)
    inside = box.inflate(-theme.px(44), -theme.px(16))
    if banner.rule is not None:
        chip = pygame.Rect(inside.left, 0, theme.px(104), theme.px(54))
        chip.centery = inside.centery
        canvas.panel(chip, palette.paper, radius=10)
        canvas.text(banner.rule, chip.inflate(-theme.px(12), 0), 28, palette.ink, bold=True, align="middle")
        inside = pygame.Rect(chip.right + theme.px(22), inside.top, 0, inside.height)
        inside.width = box.right - theme.px(22) - inside.left
    if not banner.text:
        canvas.text(banner.title, inside, 34, WHITE, bold=True, lines=3)
        return
    title, text = cut(inside, inside.height // 2)
    canvas.text(banner.title, title, 34, WHITE, bold=True, lines=2)
    canvas.text(banner.text, text, 25, WHITE, lines=2)


def _draw_strip(canvas: Canvas, box: pygame.Rect, choice: Choice) -> None:
    """A question with few answers, below the felt: what lies on the table stays in sight."""
    theme, palette = canvas.theme, canvas.theme.palette
    pygame.draw.rect(canvas.surface, palette.panel, box)
    inside = box.inflate(-theme.px(36), -theme.px(16))
    title, answers = cut(inside, theme.px(60), theme.px(4))
    canvas.text(choice.title, title, 32, palette.text, bold=True, align="middle", lines=2)
    draw_answers(canvas, answers, choice.answers, choice.chosen)


def _draw_choice(canvas: Canvas, whole: pygame.Rect, choice: Choice) -> None:
    theme, palette = canvas.theme, canvas.theme.palette
    box = pygame.Rect(0, 0, whole.width, theme.px(150 + 82 * len(choice.answers)))
    box.height = min(box.height, whole.height)
    box.center = whole.center
    canvas.panel(box, palette.panel, palette.turn, radius=18)
    inside = box.inflate(-theme.px(48), -theme.px(36))
    title, rows = cut(inside, theme.px(92), theme.px(12))
    canvas.text(choice.title, title, 34, palette.text, bold=True, align="middle", lines=2)
    draw_rows(canvas, rows, [(answer, "") for answer in choice.answers], choice.chosen)
