"""Protects: the explorer in a real browser, with and without its script, on a phone and in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulecheck import registry
from rulecheck.explorer.address import Address, unescaped

REFUSED = "status of 400 (Bad Request)"  # of a page that says what was wrong
PHONE = {"width": 390, "height": 844}
GAMES = ("crosswalk", "hextris", "icepalace", "nestrace", "oxo", "pig")


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    yield from _opened(browser, site)


@pytest.fixture
def plain_page(browser: Any, site: str) -> Iterator[Any]:
    """Without JavaScript."""
    yield from _opened(browser, site, java_script_enabled=False)


def _opened(browser: Any, site: str, **options: Any) -> Iterator[Any]:
    """A page on which any error of the script or of the policy fails the test."""
    context = browser.new_context(base_url=site, **options)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda said: wrong.append(said.text) if said.type == "error" and REFUSED not in said.text else None
    )
    yield page
    context.close()
    assert [words for words in wrong if not words.endswith(REFUSED)] == []


def _position(page: Any) -> str:
    from urllib.parse import unquote, urlsplit

    return unescaped(unquote(urlsplit(page.url).path).split("/", 3)[3])


def _with_a_choice(slug: str) -> tuple[Any, Any]:
    """An engine, and a position in which a player is to move."""
    game = registry.find(slug)
    engine = game.engine(game.params({}), game.rulebook.defaults())
    here = engine.start()
    while chances := engine.chances(here):
        here = chances[0].result
    return engine, here


@pytest.mark.parametrize("slug", GAMES)
def test_every_legal_move_is_one_click_away(page: Any, slug: str) -> None:
    engine, here = _with_a_choice(slug)
    moves = {str(move): str(result) for move, result in engine.moves(here).items()}
    page.goto(Address(slug, str(here)).url())
    assert sorted(page.locator("[data-move]").evaluate_all("all => all.map(a => a.dataset.move)")) == sorted(moves)
    for move in list(moves)[:: max(1, len(moves) // 2)]:
        page.locator(f'[data-move="{move}"]').click()
        page.locator("ol.line").wait_for()
        assert _position(page) == moves[move]
        page.go_back()
        page.locator(f'[data-move="{move}"]').wait_for()
        assert _position(page) == str(here)


@pytest.mark.parametrize("script", [True, False])
def test_source_and_target_are_clicked_on_the_board(browser: Any, site: str, script: bool) -> None:
    for page in _opened(browser, site, java_script_enabled=script):
        page.goto("/g/nestrace")
        page.locator('a[data-place="c1"]').click()
        page.locator(".place.picked").wait_for()
        assert page.locator("[data-move]").count() == 3
        page.locator('a[data-place="c2"]').click()
        page.locator("ol.line").wait_for()
        assert "c2:A3" in _position(page)
        page.locator('[rel="prev"]').click()
        page.get_by_text("This is the start.").wait_for()


@pytest.mark.parametrize("script", [True, False])
def test_an_illegal_target_shows_its_clause(browser: Any, site: str, script: bool) -> None:
    for page in _opened(browser, site, java_script_enabled=script):
        page.goto("/g/hextris/A_a1:A2_a2:B3")
        for place in ("a1", "a2"):
            page.locator(f'a[data-place="{place}"]').click()
        page.get_by_role("link", name="a1xa2").click()
        page.locator("#why").wait_for()
        assert "HX-23" in page.locator("#why").inner_text()


def test_nothing_reloads_and_keys_work(page: Any) -> None:
    page.goto("/g/oxo")
    page.evaluate("window.kept = 1")
    page.locator('a[data-place="b2"]').click()
    page.locator("ol.line").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("This is the start.").wait_for()
    page.go_back()
    page.locator("ol.line").wait_for()
    page.go_forward()
    page.get_by_text("This is the start.").wait_for()
    page.get_by_text("Tie in 9", exact=True).wait_for()
    page.keyboard.press("b")
    page.locator("ol.line").wait_for()
    assert page.evaluate("window.kept") == 1


def test_a_reading_is_toggled_and_compared(page: Any) -> None:
    page.goto("/readings/hextris/A_a1:A2_a2:B3")
    page.locator('[data-compare="swap=symmetric"]').click()
    page.locator("#beside tr.one", has_text="a1xa2").wait_for()
    page.locator('[data-reading="swap=symmetric"]').click()
    page.wait_for_url("**r=swap:symmetric**")
    page.get_by_role("link", name="Back to the position").click()
    page.locator('[data-move="a1xa2"]').wait_for()


@pytest.mark.parametrize("script", [True, False])
def test_a_puzzle_is_failed_and_solved(browser: Any, site: str, script: bool) -> None:
    for page in _opened(browser, site, java_script_enabled=script):
        page.goto("/puzzles?game=hextris&kind=win-in-2")
        page.locator("[data-puzzle]").first.click()
        page.locator('[data-move="d4-d3"], [data-move]').first.click()
        page.get_by_role("link", name="Take it back").click()
        page.locator('[data-move="d4xd3"]').click()
        page.locator(".defences a").first.click()
        page.get_by_text("Right so far. Go on.").wait_for()
        for number in (1, 2, 3):
            page.locator("#puzzle [data-key=h]").click()
            page.get_by_text(f"Hint {number}:").wait_for()
        key = page.get_by_text("Hint 3: It is").inner_text().removeprefix("Hint 3: It is ").removesuffix(".")
        page.locator(f'[data-move="{key}"]').click()
        page.get_by_text("Solved.").wait_for()


def test_a_move_is_drawn_while_the_pointer_is_on_it(page: Any) -> None:
    page.goto("/g/nestrace")
    before = page.locator("#board svg").inner_html()
    page.locator('[data-move="c1-c2"]').hover()
    page.locator("#board svg title", has_text="move c1-c2").wait_for(state="attached")
    page.locator("h2").first.hover()
    page.wait_for_function("before => document.querySelector('#board svg').innerHTML === before", arg=before)


def test_without_a_script_everything_is_links_and_forms(plain_page: Any) -> None:
    page = plain_page
    page.goto("/")
    page.get_by_role("link", name="Crosswalk", exact=True).click()
    page.get_by_role("button", name="Roll").click()
    assert "roll=" in _position(page)
    page.locator("[data-move]").first.click()
    page.fill("#pos", "A 0:A2 3:A1 5:B1B2 roll=5")
    page.get_by_role("button", name="Go").click()
    assert page.locator(".problem").count() == 1  # a piece is missing in the printed game
    assert page.locator("#pos").input_value() == "A 0:A2 3:A1 5:B1B2 roll=5"
    page.goto("/g/oxo")
    page.get_by_role("link", name="Edit").click()
    page.fill('[name="at.b2"]', "X")
    page.fill('[name="head"]', "O")
    page.get_by_role("button", name="Look at it").click()
    assert _position(page) == "O b2:X"


def test_a_place_that_is_clicked_on_while_editing_is_typed_into(page: Any) -> None:
    page.goto("/edit/oxo/O_a1:X")
    page.locator('a[data-place="b2"]').click()
    page.keyboard.type("O")
    page.locator('a[data-place="a1"]').click()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Look at it").click()
    page.locator("#board").wait_for()
    page.wait_for_url("**/g/oxo/O_b2:O")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_and_can_be_read(browser: Any, site: str, scheme: str) -> None:
    for page in _opened(browser, site, viewport=PHONE, color_scheme=scheme):
        for url in ("/", "/g/hextris", "/g/crosswalk", "/g/icehouse", "/edit/nestrace"):
            page.goto(url)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], url
        ink, ground = (
            page.evaluate(f"getComputedStyle(document.body).{name}") for name in ("color", "backgroundColor")
        )
        assert abs(_light(ink) - _light(ground)) > 0.6
        assert (_light(ground) < 0.3) == (scheme == "dark")


def _light(colour: str) -> float:
    red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return (0.2 * red + 0.7 * green + 0.1 * blue) / 255


@pytest.mark.parametrize("script", [True, False])
def test_a_board_without_places_is_clicked_on(browser: Any, site: str, script: bool) -> None:
    """A piece is put down by a click, a second one is pointed at it by two, and a third too far away is refused."""
    for page in _opened(browser, site, java_script_enabled=script):
        page.goto("/g/icehouse")
        _put_down(page, "A3", (0.5, 0.4))
        page.get_by_role("link", name="Play it").click()
        page.locator("ol.line li").nth(0).wait_for()
        _put_down(page, "B3", (0.3, 0.3))
        page.get_by_role("link", name="Play it").click()
        page.locator("ol.line li").nth(1).wait_for()
        _put_down(page, "A1>", (0.1, 0.1), (0.1, 0.8))
        assert "not legal" in page.locator("#why").inner_text()
        _put_down(page, "B1", (0.8, 0.4), (0.7, 0.3))
        page.get_by_role("link", name="up", exact=True).click()
        page.get_by_role("link", name="Play it").click()
        page.locator("ol.line li").nth(2).wait_for()
        here = _played_in(page)
        assert [piece.colour for piece in here.pieces] == ["A", "B", "B"]
        assert here.pieces[2].direction != (1, 0)


def _put_down(page: Any, name: str, *spots: tuple[float, float]) -> None:
    """Take a piece and click on shares of the picture, as wide and as high as it is shown."""
    page.locator(f'[data-held="{name}"]').click()
    for number, (across, down) in enumerate(spots, start=1):
        page.locator(f"main:not([data-refresh]) [data-spots='{number - 1}']").wait_for()  # nothing is replaced now
        box = page.locator("#board > svg:visible, .spots [type=image]:visible").bounding_box()
        page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
        page.locator(f"[data-spots='{number}']").wait_for()


def _played_in(page: Any) -> Any:
    """The position of the page, after the line that it shows has been played on an engine."""
    game = registry.find("icehouse")
    engine = game.engine(game.params({}), game.rulebook.defaults())
    here = engine.start()
    for label in page.locator("ol.line li a").all_inner_texts():
        here = engine.play(here, game.read_move(engine.params, label))
    assert str(here) == _position(page)
    return here
