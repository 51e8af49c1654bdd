"""A drawing as SVG text: boxes, texts and arrows on a white card, for light and dark pages."""

from __future__ import annotations

from html import escape
from typing import List

INK, MUTED, LINE = "#1f2937", "#64748b", "#cbd5e1"
BLUE, ORANGE, GREEN, GREY = "#2563eb", "#ea580c", "#15803d", "#94a3b8"
PALE = {BLUE: "#dbeafe", ORANGE: "#ffedd5", GREEN: "#dcfce7", GREY: "#f1f5f9"}
FONT = "Inter, Helvetica, Arial, DejaVu Sans, sans-serif"


class Drawing:
    """Shapes in user units; y grows downwards.

    Parameters
    ----------
    width, height : int
        Of the card.
    title, description : str
        For those who cannot see it.
    """

    def __init__(self, width: int, height: int, title: str, description: str) -> None:
        self._lines: List[str] = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="t d" '
            f'font-family="{FONT}">',
            f'<title id="t">{escape(title)}</title>',
            f'<desc id="d">{escape(description)}</desc>',
            "<defs>",
            *(_marker(color) for color in (INK, *PALE)),
            "</defs>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="12" '
            f'fill="#ffffff" stroke="{LINE}"/>',
        ]

    def rect(self, x: float, y: float, w: float, h: float, color: str = GREY) -> None:
        """Draw a box with a pale inside."""
        self._lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="4" '
            f'fill="{PALE[color]}" stroke="{color}"/>'
        )

    def bar(self, x: float, y: float, w: float, h: float, color: str) -> None:
        """Draw a full bar."""
        self._lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{color}"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        color: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write one line; y is its base line."""
        weight = ' font-weight="700"' if bold else ""
        self._lines.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{color}" '
            f'text-anchor="{anchor}"{weight}>{escape(text)}</text>'
        )

    def box(
        self, x: float, y: float, w: float, h: float, text: str, color: str = GREY, size: float = 13
    ) -> None:
        """Draw a box with centred lines of text."""
        self.rect(x, y, w, h, color)
        lines = text.split("\n")
        first = y + h / 2 + 0.35 * size - (len(lines) - 1) * 0.6 * size
        for i, line in enumerate(lines):
            self.text(x + w / 2, first + 1.2 * size * i, line, size=size, anchor="middle")

    def line(
        self,
        *points: float,
        color: str = INK,
        arrow: bool = False,
        dashed: bool = False,
        width: float = 1.6,
    ) -> None:
        """Draw a line through x, y, x, y, ...; an arrow head at its end if asked for."""
        pairs = " ".join(f"{x:g},{y:g}" for x, y in zip(points[::2], points[1::2]))
        end = f' marker-end="url(#{_name(color)})"' if arrow else ""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self._lines.append(
            f'<polyline points="{pairs}" fill="none" stroke="{color}" '
            f'stroke-width="{width:g}"{dash}{end}/>'
        )

    def arrow(self, *points: float, color: str = INK, dashed: bool = False) -> None:
        """Draw an arrow through x, y, x, y, ..."""
        self.line(*points, color=color, arrow=True, dashed=dashed)

    def svg(self) -> str:
        """Return the file's text."""
        return "\n".join([*self._lines, "</svg>", ""])


def _name(color: str) -> str:
    return "a" + color[1:]


def _marker(color: str) -> str:
    return (
        f'<marker id="{_name(color)}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" '
        f'markerHeight="7" orient="auto-start-reverse">'
        f'<path d="M0 0L10 5L0 10z" fill="{color}"/></marker>'
    )
