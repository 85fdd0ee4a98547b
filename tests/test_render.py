"""Protects: pictures are deterministic, well-formed, self-contained, and show every pyramid."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulecheck import registry, render, theme
from rulecheck.files import write_file
from rulecheck.model import InputError
from rulecheck.render.svg import Element, number
from rulecheck.report.figures import legible

GAME = registry.find("crosswalk")
PARAMS = GAME.params({})
START = "A 1:B3B2B1 2:P3P2P1 3:P3P2P1 4:P3P2P1 5:A3A2A1"
TALL = "B 1:B3 2:P3P2P1B1B2P1A1 3:P3P2 4:P3P2P1A2 5:A3 roll=1"
HOME = "A 0:A1A2 1:A3P2P1 3:P3P2P1P3 4:P2P1P3B3 5:B1B2 roll=6"
SVG = "{http://www.w3.org/2000/svg}"


def _position(text: str) -> Any:
    return GAME.read_position(PARAMS, text)


def _svg(text: str, move: str | None = None, **options: Any) -> str:
    drawn = None if move is None else GAME.read_move(PARAMS, move)
    return render.svg(GAME, PARAMS, _position(text), drawn, **options)


def test_text_picture() -> None:
    assert render.text("crosswalk", PARAMS, _position(HOME)).splitlines() == [
        "A to move, roll 6",
        "",
        r"                              /  P3  \  /  B3  \ ".rstrip(),
        r"            /P1\                /P1\    /  P3  \ ".rstrip(),
        r" / A2 \    / P2 \              / P2 \     /P1\     / B2 \ ".rstrip(),
        r"  /A1\    /  A3  \            /  P3  \   / P2 \     /B1\ ".rstrip(),
        "========  --------  --------  --------  --------  --------  ========",
        "   0         1         2         3         4         5         6",
        "finish A                                                    finish B",
    ]


@pytest.mark.parametrize("text", [START, TALL, HOME])
def test_every_pyramid_is_drawn_once(text: str) -> None:
    pieces = sorted(re.findall("[ABP][123]", text))
    assert sorted(re.findall("[ABP][123]", render.text(GAME, PARAMS, _position(text)))) == pieces
    labels = [e.text for e in ET.fromstring(_svg(text)).iter(f"{SVG}text")]
    assert sorted(label for label in labels if re.fullmatch("[ABP][123]", label or "")) == pieces


@pytest.mark.parametrize(("text", "move"), [(START, "5-4 4-3 5-4"), (TALL, "2>5"), (TALL, "2>2"), (HOME, None)])
def test_nothing_lies_outside_the_picture(text: str, move: str | None) -> None:
    root = ET.fromstring(_svg(text, move))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for polygon in root.iter(f"{SVG}polygon"):
        for corner in polygon.attrib["points"].split():
            x, y = map(float, corner.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    for circle in root.iter(f"{SVG}circle"):
        assert float(circle.attrib["r"]) <= float(circle.attrib["cy"]) <= height


def test_it_is_accessible_and_self_contained() -> None:
    picture = _svg(TALL, "2>5")
    root = ET.fromstring(picture)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == f"Crosswalk: {TALL}, turn 2>5"
    assert "href" not in picture
    assert "url(" not in picture
    assert picture.count("http") == 1  # the namespace
    assert " id=" not in picture  # so that two pictures on one page cannot disturb each other


def test_colours_differ_without_colour() -> None:
    """In print A is dark, B striped, P dotted: what is drawn on them differs, not only the fill."""
    groups = list(ET.fromstring(_svg(START)).iter(f"{SVG}g"))
    marks = {}
    for group in groups:
        label = next(e.text for e in group.iter(f"{SVG}text"))
        marks[label] = {e.tag.removeprefix(SVG) for e in group} & {"path", "circle"}
    for size in "123":
        assert (marks[f"A{size}"], marks[f"B{size}"], marks[f"P{size}"]) == (set(), {"path"}, {"circle"})


def test_a_move_has_one_numbered_arrow_for_each_step() -> None:
    plain, drawn = _svg(START), _svg(START, "5-4 4-3 5-4")
    count = len(ET.fromstring(drawn).findall(f"{SVG}polygon")) - len(ET.fromstring(plain).findall(f"{SVG}polygon"))
    assert count == 3
    assert [t.text for t in ET.fromstring(drawn).findall(f"{SVG}text")][-3:] == ["1", "2", "3"]


def test_highlighted_places_are_tinted() -> None:
    assert _svg(START, highlight=(1, 3)).count("#fff3c4") == 2


def test_the_die_shows_its_roll() -> None:
    small = GAME.params({"squares": "2", "sizes": "1", "die": "9"})
    for roll in range(1, 10):
        position = GAME.read_position(small, f"A 1:B1 2:A1 roll={roll}")
        root = ET.fromstring(render.svg(GAME, small, position))
        assert len(root.findall(f"{SVG}circle")) == roll


def test_equal_calls_give_equal_bytes_in_any_process() -> None:
    script = (
        "from rulecheck import registry, render; g = registry.find('crosswalk'); p = g.params({});"
        f"print(render.svg(g, p, g.read_position(p, {TALL!r}), g.read_move(p, '2>5'), (3, 1)), end='')"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        assert done.stdout.decode() == _svg(TALL, "2>5", highlight=(1, 3))


def test_a_game_without_a_drawer_shows_its_line() -> None:
    plain = replace(GAME, render_name=None)
    assert render.text(plain, PARAMS, _position(START)) == START
    assert ET.fromstring(render.svg(plain, PARAMS, _position(START)))[0].text == START


def test_text_is_escaped() -> None:
    assert str(Element("a", b='x"<').add("1 < 2 & 3")) == "<a b='x\"&lt;'>1 &lt; 2 &amp; 3</a>\n"


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (0.125, "0.12"), (-0.001, "0"), (12.5, "12.5")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


# -- In the dark, and on a phone ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["crosswalk", "hextris", "icehouse", "icepalace", "nestrace"])
def test_what_follows_the_page_is_marked(slug: str) -> None:
    """Paper, lines and words outside pieces carry a class of the theme; each piece and place carries its name."""
    game = registry.find(slug)
    params = game.params({})
    position = (
        game.read_position(params, STANDING[slug])
        if slug in STANDING
        else game.engine(params, game.rulebook.defaults()).start()
    )
    root = ET.fromstring(render.svg(game, params, position))
    assert root.find(f"{SVG}rect[@class='paper']") is not None
    pieces = [group for group in root.iter(f"{SVG}g") if group.attrib.get("class") == "piece"]
    assert pieces
    assert all(group.attrib["data-place"] for group in pieces)
    inside = {text for group in pieces for text in group.iter(f"{SVG}text")}
    for text in root.iter(f"{SVG}text"):
        assert text in inside or set(text.attrib["class"].split()) & set(theme.REPAINTED), text.text
    if slug != "icehouse":  # its places are the pieces
        assert any("place" in element.attrib.get("class", "").split() for element in root.iter())


STANDING = {"icehouse": "all A1@0,0 B2@30,0>-1,0", "hextris": "A a1:A1 b2:B2"}


def test_a_picture_is_not_shrunk_until_it_cannot_be_read() -> None:
    drawing = '<svg width="600" height="9"><text font-size="12">a</text><text font-size="15">b</text></svg>'
    assert legible(drawing).startswith('<svg style="min-width: 500px" width="600"')
    assert 'min-width: 600px"' in legible(drawing.replace("12", "4"))
    assert legible("<svg/>") == "<svg/>"


# -- Writing files ---------------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "picture.svg"
    target.write_text("old")
    target.chmod(0o640)
    write_file(target, "new é")
    assert target.read_bytes() == "new é".encode()
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(InputError, match=r"cannot write '.*': No space left on device"):
        write_file(tmp_path / "picture.svg", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "missing/picture.svg", "nul\0byte", "x" * 300, "lone\ud800"])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"cannot write '"):
        write_file(f"{tmp_path}/{name}", "new")
    assert list(tmp_path.iterdir()) == []
