"""Nest race: what it takes to check a claim on the engine.

Each check is given a way to make engines (for the readings under test) and the claim's data, and answers
whether the claim holds and what it saw. Positions, moves and parameters stand in the data in the usual notation.
What is asked of all play in a small game is in `everywhere`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulecheck.analyses.claims import Check, Factory
from rulecheck.games.nestrace import GAME, Position, read_move, read_params, read_position
from rulecheck.games.nestrace.engine import Engine
from rulecheck.games.nestrace.research.everywhere import PROPERTIES, sampled
from rulecheck.games.nestrace.research.hexagon import ABOUT
from rulecheck.model import LEGAL, InputError, Verdict

Data = Mapping[str, Any]
Found = tuple[bool, str]

# -- Reading a claim's data ---------------------------------------------------------------------------------


def _engine(make: Factory, data: Data) -> Engine:
    engine = make(data.get("params", {}))
    if not isinstance(engine, Engine):
        raise InputError("this check wants the engine of Nest race")
    return engine


def _setting(make: Factory, data: Data) -> tuple[Engine, Position]:
    engine = _engine(make, data)
    return engine, read_position(engine.params, data["position"])


def _games(make: Factory, data: Data) -> Iterator[Engine]:
    for params in data["games"]:
        engine = _engine(make, {"params": params})
        if engine.params.board != "square":
            raise InputError("it is asked of the square board")
        yield engine


def _changed(engine: Engine, changes: Mapping[str, str]) -> Engine:
    return Engine(engine.params, engine.readings.replace(**changes))


def replayed(engine: Engine, position: Position, line: Sequence[str]) -> list[Position] | str:
    """The positions of a line, the first one included; or which move is refused and why."""
    positions = [position]
    for number, text in enumerate(line, 1):
        try:
            positions.append(engine.play(positions[-1], read_move(engine.params, text)))
        except InputError as refusal:
            return f"move {number} of {len(line)}: {refusal}"
    return positions


# -- The board ------------------------------------------------------------------------------------------------


def board(make: Factory, data: Data) -> Found:
    """So many squares; none of those cut; lines with these ends, no square in two of them."""
    params = _engine(make, data).params
    lines = {side: [params.squares[n] for n in params.edge(side)] for side in params.grid.sides}
    ends = {side: f"{line[0]}:{line[-1]}" for side, line in lines.items()}
    apart = len({name for line in lines.values() for name in line}) == sum(map(len, lines.values()))
    left = [name for name in data["cut"] if name in params.number]
    seen = f"{len(params.squares)} squares, lines {', '.join(f'{side} {ends[side]}' for side in ends)}"
    return len(params.squares) == data["squares"] and ends == data["lines"] and apart and not left, seen


def hexagon(make: Factory, data: Data) -> Found:
    """What the note on the board for three and six says, or what follows from it."""
    if data["about"] not in ABOUT:
        raise InputError(f"nothing is known about {data['about']} on the hexagon; known: {', '.join(ABOUT)}")
    return ABOUT[data["about"]](_engine(make, data))


def mirror(make: Factory, data: Data) -> Found:
    """The mirror carries every table of the board that the engine looks at over to the game with B in the east.

    The engine looks at the board through these tables alone, so whole games are carried over. The moves from the
    start are compared besides.
    """
    for params in data["games"]:
        west, east = (_engine(make, {"params": {**params, "side": side}}) for side in ("west", "east"))
        there = [west.params.places.index((west.params.core + 3 - x, y)) for x, y in west.params.places]
        if (wrong := _not_carried(west, east, there)) is not None:
            return False, f"{west.params.as_dict()}: {wrong} differ"
    return True, f"steps, jumps, rows, lines and first moves are mirrored in {len(data['games'])} games"


def _not_carried(west: Engine, east: Engine, there: list[int]) -> str | None:
    def over(pairs: Any) -> Any:
        return {(there[a], there[b]) for a, b in pairs}

    if over(west.steps) != east.steps:
        return "steps"
    if {(there[a], there[b]): there[q] for (a, b), q in west.jumps.items()} != east.jumps:
        return "jumps"
    for p in "AB":
        if over(west.retreats[p]) != east.retreats[p]:
            return "backward hops"
        if any(west.rows[p][n] != east.rows[p][there[n]] for n in range(len(there))):
            return "rows"
        lines = [(e.starts[p], e.brinks[p], e.finishes[p], e.foreign[p]) for e in (west, east)]
        for ours, theirs in zip(*lines, strict=True):
            if {there[n] for n in ours} != theirs:
                return "lines"

    def carried(position: Position) -> Position:
        stacks = tuple(position.stacks[there[n]] for n in range(len(there)))
        return Position(position.mover, stacks, position.squares)

    # With fewer nests than squares the start itself may not be symmetrical, so it is carried over too.
    results = {carried(result) for result in west.moves(west.start()).values()}
    return None if results == set(east.moves(carried(west.start())).values()) else "first moves"


# -- Single positions -------------------------------------------------------------------------------------------


def illegal(make: Factory, data: Data) -> Found:
    """This move breaks this clause."""
    engine, position = _setting(make, data)
    verdict = engine.judge(position, read_move(engine.params, data["move"]))
    return data["clause"] in verdict.clauses, f"the move {data['move']} is {verdict}"


def plays(make: Factory, data: Data) -> Found:
    """This line is legal and ends so; a `result` with `repeats` has stood there so often."""
    engine, position = _setting(make, data)
    positions = replayed(engine, position, data["line"])
    if isinstance(positions, str):
        return False, positions
    winner = engine.winner(positions[-1])
    right, seen = winner == data.get("winner"), f"{' '.join(data['line'])} leads to {positions[-1]}"
    if "result" in data:
        times = positions.count(read_position(engine.params, data["result"]))
        right &= times == data.get("repeats", 1) and positions[-1] == read_position(engine.params, data["result"])
        seen += f", which stood there {times} times" if "repeats" in data else ""
    return right, seen + (f", {winner} wins" if winner else "")


def new_pat(make: Factory, data: Data) -> Found:
    """This legal move puts this player in pat, who was not before."""
    engine, position = _setting(make, data)
    positions = replayed(engine, position, [data["move"]])
    if isinstance(positions, str):
        return False, positions
    before, after = (engine.in_pat(at, data["player"]) for at in positions)
    words = {False: "not in pat", True: "in pat"}
    return after and not before, f"{data['player']} is {words[before]}, and {words[after]} after {data['move']}"


def pat(make: Factory, data: Data) -> Found:
    """What the data say of the position: who is in pat (or would be `without` a reading), and with what moves."""
    engine, position = _setting(make, data)
    if data.get("emptied"):
        return _emptied(engine, position)
    player, base = data["player"], list(engine.base_moves(position, data["player"]))
    facts = {"moves": bool(base), "off_row": not engine.all_before_finish(position, player)}
    frees = engine.freeing(position, player)
    facts |= {"free": bool(frees), "lawful": any(path in engine.options(position).paths for path in frees)}
    stuck = engine.in_pat(position, player)
    right = all(facts[what] == data[what] for what in facts if what in data)
    seen = f"{player} is {'' if stuck else 'not '}in pat with {len(base)} moves"
    if "free" in data:
        lawful = "some of them" if facts["lawful"] else "none of them"
        seen += f"; {len(frees)} moves of {position.mover} free" + (f", {lawful} legal" if frees else "")
    if "without" in data:
        would = _changed(engine, data["without"]).in_pat(position, player)
        seen += f", and would {'' if would else 'not '}be with {_named(data['without'])}"
        return right and would and not stuck, seen
    return right and stuck, seen


def _named(readings: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in readings.items())


def _emptied(engine: Engine, position: Position) -> Found:
    """Sentence 2 forbids every base move of the mover's, and there are some."""
    base = list(engine.base_moves(position, position.mover))
    forbidden = sum(engine.forbidden(position, path) for path in base)
    return 0 < forbidden == len(base), f"{forbidden} of {position.mover}'s {len(base)} moves are forbidden by NR-30"


def changes_play(make: Factory, data: Data) -> Found:
    """Each of these values changes what is legal by this ply: the line is legal either way, its last move is not."""
    engine, seen = _engine(make, data), []
    for change in data["changes"]:
        name, value = change["reading"], change["value"]
        usual = _changed(engine, {name: GAME.rulebook.options[name].default})
        other = _changed(engine, {name: value})
        *before, move = change["line"]
        ends = [replayed(one, one.start(), before) for one in (usual, other)]
        if isinstance(ends[0], str) or isinstance(ends[1], str):
            return False, f"{name}={value}: {next(end for end in ends if isinstance(end, str))}"
        verdicts = [one.judge(ends[0][-1], read_move(engine.params, move)) for one in (usual, other)]
        seen.append(f"{name}={value}: {move} is {verdicts[0]} usually, {verdicts[1]} then")
        if verdicts[0].legal == verdicts[1].legal or len(change["line"]) > change["ply"]:
            return False, seen[-1]
    return True, "; ".join(seen)


# -- What all play shows ------------------------------------------------------------------------------------------


class Without(Engine):
    """The engine without NR-24 or NR-25."""

    def __init__(self, engine: Engine, clause: str) -> None:
        super().__init__(engine.params, engine.readings)
        self.dropped = clause

    def judge_lines(self, p: str, here: int, there: int) -> Verdict:
        verdict = super().judge_lines(p, here, there)
        return LEGAL if self.dropped in verdict.clauses else verdict


def idle(make: Factory, data: Data) -> Found:
    """Without this clause no more moves are possible: asked of the positions given, then of play in small games."""
    asked = [(engine, [position]) for engine, position in (_setting(make, given) for given in data["positions"])]
    played = [(engine, *sampled(engine)) for engine in _games(make, data)]
    looked, total = 0, sum(size for _, _, size in played)
    for engine, positions in [*asked, *((engine, positions) for engine, positions, _ in played)]:
        loose = Without(engine, data["clause"])
        for position in positions:
            looked += 1
            ours = {(path[0], path[-1]) for path in engine.base_moves(position, position.mover)}
            for path in loose.base_moves(position, position.mover):
                if (path[0], path[-1]) not in ours:
                    return False, f"without it {engine.named(path)} would be a move in {position}"
    return True, f"no move more in {looked} positions: those given and a sample of {total:,} in play (no proof)"


def invariant(make: Factory, data: Data) -> Found:
    """A property of the board, or of all play in small games; the answer says how much was looked at."""
    if data["property"] not in PROPERTIES:
        raise InputError(f"no property is called {data['property']}")
    seen = []
    for engine in _games(make, data):
        holds, words = PROPERTIES[data["property"]](engine)
        seen.append(words)
        if not holds:
            return False, words
    if "most" in data:
        params = read_params({})
        most = (params.core + 1) * params.nests * 3
        return most == data["most"], f"{seen[0]}; {params.core + 1} rows for each of {params.nests * 3} make {most}"
    return True, "; ".join(seen)


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (board, hexagon, mirror, illegal, plays, new_pat, pat, changes_play, idle, invariant)
}  # fmt: skip
