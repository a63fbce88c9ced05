"""The interface's theme in the form that pygame_gui wants: for menus, which it draws."""

from __future__ import annotations

from game.render.colours import Colour
from game.ui.theme import RADIUS_PX, TEXT_PX, TITLE_PX, Theme

FONT = "noto_sans"
"""pygame_gui's own typeface, which is the program's too."""


def menu_theme(theme: Theme) -> dict[str, object]:
    """Colours, fonts and shapes of buttons, labels, text boxes and scroll bars."""
    colours = theme.colours
    inset, panel = colours.inset, colours.panel
    plain = _states(inset, theme.lightened(inset), colours.accent, colours.text, panel)
    shape = {
        "shape": "rounded_rectangle",
        "shape_corner_radius": str(RADIUS_PX - 2),
        "border_width": "0",
        "shadow_width": "0",
    }
    flat = {"border_width": "0", "shadow_width": "0"}
    words = {"name": FONT, "size": str(theme.px(TEXT_PX))}
    heading = words | {"size": str(theme.px(TITLE_PX + 4)), "bold": "1"}
    return {
        "defaults": {"colours": plain | {"dark_bg": _hex(panel)}},
        "button": {
            "colours": plain,
            "font": words,
            "misc": shape | {"text_horiz_alignment_padding": str(theme.px(12))},
        },
        "#primary": {
            "colours": _states(
                colours.accent, theme.lightened(colours.accent), colours.accent, panel, panel
            )
        },
        "#level": {"misc": {"text_horiz_alignment": "left"}},
        "label": {
            "colours": {"normal_text": _hex(colours.text)},
            "font": words,
            "misc": {"text_horiz_alignment": "left"},
        },
        "#heading": {"font": heading},
        "#value": {"misc": {"text_horiz_alignment": "center"}},
        "text_box": {
            "colours": {
                "dark_bg": _hex(panel),
                "normal_text": _hex(colours.dim),
                "normal_border": _hex(panel),
            },
            "font": words,
            "misc": flat | {"padding": "0,0"},
        },
        "scrolling_container": {"colours": {"dark_bg": _hex(panel)}},
        "vertical_scroll_bar": {"misc": shape | {"enable_arrow_buttons": "0"}},
    }


def _states(
    ground: Colour, hovered: Colour, chosen: Colour, text: Colour, chosen_text: Colour
) -> dict[str, str]:
    return {
        "normal_bg": _hex(ground),
        "hovered_bg": _hex(hovered),
        "active_bg": _hex(chosen),
        "selected_bg": _hex(chosen),
        "disabled_bg": _hex(ground),
        "normal_text": _hex(text),
        "hovered_text": _hex(text),
        "active_text": _hex(chosen_text),
        "selected_text": _hex(chosen_text),
        "disabled_text": _hex(text),
    }


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
