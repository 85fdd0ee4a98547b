"""Ice Palace once more, as plainly as it can be said: dictionaries of strings, and everything tried.

Written from the rule sheet and the meanings of the readings, importing nothing of rulecheck, so that a mistake in the
engine has no way into the numbers it is compared with. The greatest number of pyramids that can be built with is
found by making every series of steps. Hopelessly slow, on purpose.
"""

from __future__ import annotations

from typing import Any

Cell = tuple[int, int]
Site = dict[Cell, list[str]]  # a stack of "A1", "K3" ..., bottom first, for each cell that has one
State = dict[str, Any]

PLAIN = {
    "stacking": "any_colour", "onto_black": "yes", "match": "top", "adjacent": "some_neighbour",
    "white_white": "match", "grid": "orthogonal", "opening": "must_place", "round_end": "all_pass",
    "palace_first": "free", "palace_island": "no", "palace_adjacent": "some_neighbour",
    "palace_stack": "any_colour", "max_number": "exact", "refill": "per_size",
    "empty_round": "void", "tie": "shared", "draw_order": "seats",
}  # fmt: skip


# -- Reading and writing lines -------------------------------------------------------------------------------


def pieces(text: str) -> list[str]:
    return [] if text == "-" else [text[i : i + 2] for i in range(0, len(text), 2)]


def read(line: str) -> State:
    mover, *tokens = line.split(" ")
    state: State = {"mover": mover, "w": {}, "p": {}, "marker": None, "passes": 0, "left": []}
    for token in tokens:
        if "=" not in token:
            cell, stack = token.split(":")
            x, y = cell[1:].split(",")
            state[cell[0]][int(x), int(y)] = pieces(stack)
            continue
        key, value = token.split("=")
        if key == "hands":
            state["hands"] = [pieces(hand) for hand in value.split("/")]
        elif key == "bag":
            state["bag"] = value.split("/")
        elif key == "left":
            state["left"] = pieces(value)
        else:
            state[key] = int(value) if key == "passes" else value
    count = len(state["hands"])
    state["colours"] = "ABCDEF"[:count] + "KW"
    state["bag"] = [
        f"{colour}{size}"
        for colour, digits in zip(state["colours"], state["bag"], strict=True)
        for size in (1, 2, 3)
        for _ in range(int(digits[size - 1]))
    ]
    return state


def write(state: State) -> str:
    words = [state["mover"]]
    for site in "wp":
        for x, y in sorted(state[site], key=lambda cell: (cell[1], cell[0])):
            words.append(f"{site}{x},{y}:{''.join(state[site][x, y])}")
    words.append("hands=" + "/".join("".join(sorted(hand)) or "-" for hand in state["hands"]))
    counts = ["".join(str(state["bag"].count(f"{c}{size}")) for size in (1, 2, 3)) for c in state["colours"]]
    words.append("bag=" + "/".join(counts))
    words += [f"marker={state['marker']}"] if state["marker"] else []
    words += [f"passes={state['passes']}"] if state["passes"] else []
    words += [f"left={''.join(sorted(state['left']))}"] if state["left"] else []
    return " ".join(words)


# -- Where a pyramid may go ----------------------------------------------------------------------------------


def around(site: Site, reach: int) -> list[Cell]:
    """All cells of a box that is larger than the site by so much on every side."""
    xs, ys = [x for x, _ in site], [y for _, y in site]
    return [
        (x, y) for x in range(min(xs) - reach, max(xs) + reach + 1) for y in range(min(ys) - reach, max(ys) + reach + 1)
    ]


def touching(site: Site, cell: Cell, rules: dict[str, str]) -> list[list[str]]:
    found = []
    for x, y in site:
        dx, dy = abs(x - cell[0]), abs(y - cell[1])
        if dx + dy == 1 or (rules["grid"] == "king" and dx == 1 and dy == 1):
            found.append(site[x, y])
    return found


def same(one: str, other: str, rules: dict[str, str]) -> bool:
    if "K" in (one[0], other[0]):
        return False
    if one[0] == "W" and other[0] == "W":
        return rules["white_white"] == "match"
    return one[0] == other[0] or "W" in (one[0], other[0])


def joins(piece: str, stack: list[str], rules: dict[str, str]) -> bool:
    answers = [same(piece, other, rules) for other in stack]
    kind = rules["match"]
    return {"top": answers[-1], "base": answers[0], "any": any(answers), "all": all(answers)}[kind]


def fits_worksite(site: Site, piece: str, cell: Cell, rules: dict[str, str]) -> bool:
    if not site:
        return cell == (0, 0)
    if cell in site:
        top = site[cell][-1]
        stackable = {"any_colour": True, "player_colours": piece[0] not in "KW", "player_and_white": piece[0] != "K"}
        return (
            piece[1] > top[1] and stackable[rules["stacking"]] and not (top[0] == "K" and rules["onto_black"] == "no")
        )
    answers = [joins(piece, stack, rules) for stack in touching(site, cell, rules)]
    return bool(answers) and (any(answers) if rules["adjacent"] == "some_neighbour" else all(answers))


def fits_palace(site: Site, piece: str, cell: Cell, rules: dict[str, str]) -> bool:
    apart = rules["palace_island"] == "yes"
    if not site:
        return cell == (0, 0) and (rules["palace_first"] == "free" or apart)
    if cell in site:
        top = site[cell][-1]
        return piece[1] < top[1] and (rules["palace_stack"] == "any_colour" or piece[0] == top[0])
    answers = [piece[0] == stack[-1][0] for stack in touching(site, cell, rules)]
    if not answers:
        return apart and any(max(abs(x - cell[0]), abs(y - cell[1])) <= 2 for x, y in site)
    return any(answers) if rules["palace_adjacent"] == "some_neighbour" else all(answers)


def put(site: Site, piece: str, cell: Cell) -> Site:
    return {**site, cell: [*site.get(cell, []), piece]}


def minus(hand: list[str], piece: str) -> list[str]:
    rest = list(hand)
    rest.remove(piece)
    return rest


def places(site: Site, hand: list[str], fits: Any, rules: dict[str, str]) -> list[tuple[str, Cell]]:
    cells = around(site, 3) if site else [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    return [(piece, cell) for piece in sorted(set(hand)) for cell in cells if fits(site, piece, cell, rules)]


def greatest(site: Site, left: list[str], rules: dict[str, str]) -> int:
    """The length of the longest series of steps: all are tried, until one uses everything."""
    best = 0
    for piece, cell in places(site, left, fits_palace, rules):
        best = max(best, 1 + greatest(put(site, piece, cell), minus(left, piece), rules))
        if best == len(left):
            break
    return best


def frozen(site: Site) -> frozenset[tuple[Cell, str]]:
    return frozenset((cell, "".join(stack)) for cell, stack in site.items())


# -- What may happen next ------------------------------------------------------------------------------------


def next_seat(state: State, letter: str) -> str:
    count = len(state["hands"])
    return "ABCDEF"[("ABCDEF".index(letter) + 1) % count]


def lacking(state: State, hand: int, sizes: str) -> list[tuple[int, str]]:
    """Player and size of every pyramid that hands lack."""
    found = []
    for player, held in enumerate(state["hands"]):
        for size in sizes:
            found += [(player, size)] * (hand - [piece[1] for piece in held].count(size))
    return found


def bag_fails(state: State, hand: int, sizes: str, rules: dict[str, str]) -> bool:
    wanted, there = [size for _, size in lacking(state, hand, sizes)], [piece[1] for piece in state["bag"]]
    if rules["refill"] == "total":
        return len(wanted) > len(there)
    return any(wanted.count(size) > there.count(size) for size in sizes)


def can_draw(state: State, hand: int, sizes: str) -> list[tuple[int, str]]:
    return [(player, size) for player, size in lacking(state, hand, sizes) if any(p[1] == size for p in state["bag"])]


def settled(state: State, hand: int, sizes: str, rules: dict[str, str]) -> State:
    """Nobody moves while there is something to draw, nor when the game is over."""
    waits = bag_fails(state, hand, sizes, rules) or can_draw(state, hand, sizes)
    return {**state, "mover": "-" if waits else state["marker"]}


def after_building(state: State, hand: int, sizes: str, rules: dict[str, str]) -> State:
    marker = next_seat(state, state["marker"])
    return settled({**state, "marker": marker, "w": {}, "left": [], "passes": 0}, hand, sizes, rules)


def draws(line: str, hand: int = 2, sizes: str = "123", **readings: str) -> list[str]:
    """One line for each outcome of chance, all equally likely."""
    rules, state = {**PLAIN, **readings}, read(line)
    if state["mover"] != "-":
        return []
    if state["marker"] is None:
        letters = "ABCDEF"[: len(state["hands"])]
        return [write(settled({**state, "marker": letter}, hand, sizes, rules)) for letter in letters]
    if bag_fails(state, hand, sizes, rules):
        return []
    wanting = can_draw(state, hand, sizes)
    some_lack = any(bag_fails(state, hand, size, {**rules, "refill": "per_size"}) for size in sizes)
    if rules["draw_order"] == "marker" and some_lack:
        turn = ["ABCDEF".index(state["marker"])]
        while len(turn) < len(state["hands"]):
            turn.append((turn[-1] + 1) % len(state["hands"]))
        wanting.sort(key=lambda want: turn.index(want[0]))
    player, size = wanting[0]
    found = []
    for piece in state["bag"]:
        if piece[1] == size:
            hands = [[*held, piece] if at == player else held for at, held in enumerate(state["hands"])]
            after = {**state, "hands": hands, "bag": minus(state["bag"], piece)}
            found.append(write(settled(after, hand, sizes, rules)))
    return found


def results(line: str, hand: int = 2, sizes: str = "123", **readings: str) -> list[str]:
    """One line for each move of the player whose turn it is."""
    rules, state = {**PLAIN, **readings}, read(line)
    if state["mover"] == "-":
        return []
    after = builds(state, hand, sizes, rules) if state["left"] else turns(state, hand, sizes, rules)
    return [write(new) for new in after]


def turns(state: State, hand: int, sizes: str, rules: dict[str, str]) -> list[State]:
    mover, found = state["mover"], []
    player, following = "ABCDEF".index(mover), next_seat(state, mover)
    for piece, cell in places(state["w"], state["hands"][player], fits_worksite, rules):
        hands = [minus(held, piece) if at == player else held for at, held in enumerate(state["hands"])]
        found.append({**state, "w": put(state["w"], piece, cell), "hands": hands, "mover": following, "passes": 0})
    if state["w"] or rules["opening"] == "may_pass":
        found.append(passed(state, hand, sizes, rules))
    return found


def passed(state: State, hand: int, sizes: str, rules: dict[str, str]) -> State:
    count, passes = len(state["hands"]), state["passes"] + 1
    needed = count - 1 if rules["round_end"] == "others_pass" and state["w"] else count
    if passes < needed:
        return {**state, "mover": next_seat(state, state["mover"]), "passes": passes}
    if not state["w"]:
        if rules["empty_round"] == "same_opener":
            return settled({**state, "passes": 0}, hand, sizes, rules)
        return after_building(state, hand, sizes, rules)
    last = "ABCDEF"[("ABCDEF".index(state["mover"]) - passes) % count]
    left = [piece for stack in state["w"].values() for piece in stack if piece[0] not in "KW"]
    return building({**state, "w": {}, "mover": last, "left": left, "passes": 0}, hand, sizes, rules)


def building(state: State, hand: int, sizes: str, rules: dict[str, str]) -> State:
    """Building goes on if there is a step; else what is left goes out of the game."""
    if places(state["p"], state["left"], fits_palace, rules):
        return state
    return after_building(state, hand, sizes, rules)


def builds(state: State, hand: int, sizes: str, rules: dict[str, str]) -> list[State]:
    steps = places(state["p"], state["left"], fits_palace, rules)
    options = [{**state, "p": put(state["p"], *step), "left": minus(state["left"], step[0])} for step in steps]
    if rules["max_number"] == "exact":
        reach = [greatest(new["p"], new["left"], rules) for new in options]
        options = [new for new, number in zip(options, reach, strict=True) if number == max(reach)]
    found = [building(new, hand, sizes, rules) for new in options]
    return found + ([after_building(state, hand, sizes, rules)] if rules["max_number"] == "agreed" else [])


def count(line: str, depth: int, hand: int = 2, sizes: str = "123", **readings: str) -> int:
    """Sequences of so many moves; chance is summed over and costs no depth."""
    if depth == 0:
        return 1
    chances = draws(line, hand, sizes, **readings)
    if chances:
        return sum(count(drawn, depth, hand, sizes, **readings) for drawn in chances)
    return sum(count(new, depth - 1, hand, sizes, **readings) for new in results(line, hand, sizes, **readings))


# -- Growth --------------------------------------------------------------------------------------------------


def growth(site: str, of: str, most: int, **readings: str) -> list[int]:
    """How many different worksites (w) or palaces (p) of 1, 2 ... pyramids these pyramids can become, up to shifts."""
    rules, fits = {**PLAIN, **readings}, fits_worksite if site == "w" else fits_palace
    layer: dict[Any, tuple[Site, list[str]]] = {frozenset(): ({}, pieces(of))}
    counts = []
    for _ in range(most):
        longer = {}
        for grown, rest in layer.values():
            for piece, cell in places(grown, rest, fits, rules):
                new = shifted(put(grown, piece, cell))
                longer[frozen(new)] = (new, minus(rest, piece))
        layer = longer
        counts.append(len(layer))
    return counts


def shifted(site: Site) -> Site:
    left, low = min(x for x, _ in site), min(y for _, y in site)
    return {(x - left, y - low): stack for (x, y), stack in site.items()}
