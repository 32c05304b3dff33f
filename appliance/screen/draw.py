"""Draws whatever is to be shown: each page by its view."""

from __future__ import annotations

from appliance.language import Language
from appliance.screen import pages
from appliance.screen.about import draw_about
from appliance.screen.calibration import draw_calibration
from appliance.screen.canvas import Canvas
from appliance.screen.deal_result import draw_deal_result
from appliance.screen.dispute import draw_dispute
from appliance.screen.hand_check import draw_hand_check
from appliance.screen.match_result import draw_match_result
from appliance.screen.menu import draw_menu
from appliance.screen.model import Shown
from appliance.screen.pages import Page
from appliance.screen.rule_page import draw_rule_page
from appliance.screen.spelling import draw_spelling
from appliance.screen.table import draw_table
from appliance.screen.teach import draw_teach
from appliance.screen.verdict import draw_verdict
from appliance.screen.which_card import draw_which_card


def draw(canvas: Canvas, page: Page, language: Language) -> None:
    """Draws a page. `language`: of the table view, the others bring their words."""
    match page:
        case Shown():
            draw_table(canvas, page, language)
        case pages.Menu():
            draw_menu(canvas, page)
        case pages.Spelling():
            draw_spelling(canvas, page)
        case pages.Verdict():
            draw_verdict(canvas, page)
        case pages.AskCard():
            draw_which_card(canvas, page)
        case pages.Dispute():
            draw_dispute(canvas, page)
        case pages.HandCheck():
            draw_hand_check(canvas, page)
        case pages.DealResult():
            draw_deal_result(canvas, page)
        case pages.MatchResult():
            draw_match_result(canvas, page)
        case pages.Calibration():
            draw_calibration(canvas, page)
        case pages.Teach():
            draw_teach(canvas, page)
        case pages.RulePage():
            draw_rule_page(canvas, page)
        case pages.About():
            draw_about(canvas, page)
