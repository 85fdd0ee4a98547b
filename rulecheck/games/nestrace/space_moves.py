"""Nest race for two, compiled: base moves, the pat rule, and what positions lead to.

Short names, here and in `space`: q, e squares; k a size (0 small, 1 medium, 2 large); p a player, 0 the mover, who
runs up, 1 the other, who runs across; m[3 * p + k] the squares of p's pyramids of size k, as bits.
`board[p, q]` is a row of numbers about a square as p sees it, `rules` the readings as bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulecheck.solve.packed import LOST
from solvers.compiled import njit
from solvers.graph import Kind

MOVE, TIE, VOID = int(Kind.MOVE), int(Kind.TIE), int(Kind.VOID)
INVALID, FINISHED = -1, -2  # instead of the number of a half

# Columns of the board: squares as bits, the same lines in every row, and at last up to eight jumps and a -1.
STEPS, ENDS, HIGHER, FINISH, BRINK, JUMPS = range(6)
COLUMNS = JUMPS + 9
OVER, BACK = 6, 12  # a jump is its end, then by shifts the square jumped over and whether it is backward

# Readings as bits; what none of them says is the other value of the reading.
(
    NULL_MOVE, ORDER_EVERY, ORDER_TRANSIT, ENDS_ANY, ENDS_TOP, PASS_ALWAYS, PASS_STUCK, PASS_BLOCKED,
    PAT_OFF, PAT_NO_MOVE, PAT_ROW, EVER, ANY_ABOVE, SELF_COVER, FINISHED_BREAKS, FREE_LIFT,
    CANNOT_LIFT, CANNOT_PASS, DUTY_FIRST, S2_VICTIM, S2_COVER, S2_NEW,
    COVER_TOP, LIFT_YIELDS, S2_ANYONE, PASS_WAITING,
) = (1 << at for at in range(26))  # fmt: skip

# What a base move does, as bits.
FORBIDDEN, FREES, LIFTS, ADVANCES = 1, 2, 4, 8

DE_BRUIJN = 0x03F79D71B4CB0A89  # its 64 windows of six bits are all different
WINDOWS = np.array([((DE_BRUIJN << at) & (2**64 - 1)) >> 58 for at in range(64)]).argsort()


@njit(cache=True)
def _lowest(mask: int) -> Any:
    """The number of the lowest bit set."""
    return WINDOWS[(((mask & -mask) * DE_BRUIJN) >> 58) & 63]


# -- Base moves (NR-10 to NR-28 and the trial rules) -----------------------------------------------------------


@njit(cache=True)
def _ends(board: Any, rules: int, m: Any, p: int, k: int, q: int) -> Any:
    """Where p's uncovered pyramid of size k on q can end a base move, as bits; q itself for a null move."""
    lifted = ~(1 << q)
    finish = board[p, q, FINISH]
    small, medium, large = m[0] | m[3], m[1] | m[4], m[2] | m[5]
    if k == 0:
        small &= lifted
        blocked, out_of_order = small | medium | large, 0  # NR-19, NR-23
    elif k == 1:
        medium &= lifted
        blocked, out_of_order = medium | large, finish & ~(small & ~medium & ~large)
    else:
        large &= lifted
        blocked, out_of_order = large, finish & ~(medium & ~large)
    halts = _halts(rules, m, p, medium, large)
    plain, bent = _chains(board, rules, p, q, small | medium | large, blocked, out_of_order, halts)
    steps = board[p, q, STEPS] & ~blocked
    chains = (plain | (bent & board[p, q, HIGHER])) & board[p, q, ENDS]
    if not rules & ORDER_EVERY and (finish >> q) & 1:  # NR-22
        return steps | chains
    if not rules & ORDER_EVERY and rules & ORDER_TRANSIT:
        return (steps & ~out_of_order) | chains  # asked when it came onto the line, a chain may have gone on along it
    return (steps | chains) & ~out_of_order


@njit(cache=True)
def _halts(rules: int, m: Any, p: int, medium: int, large: int) -> Any:
    """Where a chain cannot go on after landing (NR-43)."""
    o = 3 - 3 * p
    if rules & ENDS_ANY:
        return m[o] | m[o + 1] | m[o + 2]
    if rules & ENDS_TOP:
        return m[o + 2] | (m[o + 1] & ~large) | (m[o] & ~medium & ~large)
    return 0


@njit(cache=True)
def _chains(
    board: Any, rules: int, p: int, q: int, occupied: int, blocked: int, out_of_order: int, halts: int
) -> tuple[int, int]:
    """Where chains of jumps from q touch down: without a backward jump, and only with one."""
    plain, bent = 0, 0
    todo, todo_bent = 1 << q, 0
    while todo | todo_bent:
        bending = todo == 0
        here = _lowest(todo_bent if bending else todo)
        todo, todo_bent = todo & ~(1 << here), todo_bent & ~(1 << here)
        comes_in = rules & ORDER_EVERY or not (board[p, q, FINISH] >> here) & 1
        barred = blocked | out_of_order if rules & ORDER_TRANSIT and comes_in else blocked
        at = JUMPS
        while board[p, here, at] >= 0:
            jump = board[p, here, at]
            at += 1
            bit = 1 << (jump & 63)
            if bit & barred or not (occupied >> ((jump >> OVER) & 63)) & 1:
                continue
            if bending or jump >> BACK:
                if not bit & (plain | bent | 1 << q):
                    bent |= bit
                    todo_bent |= bit & ~halts
            elif not bit & plain:
                plain |= bit
                bent, todo_bent = bent & ~bit, todo_bent & ~bit
                todo |= bit & ~halts & ~(1 << q)
    return plain if rules & NULL_MOVE else plain & ~(1 << q), bent


# -- The pat rule (NR-29, NR-30, NR-55 to NR-57) ---------------------------------------------------------------


@njit(cache=True)
def _covered(m: Any, k: int) -> Any:
    """The squares with a larger pyramid than k."""
    large = m[2] | m[5]
    return large | m[1] | m[4] if k == 0 else large if k == 1 else 0


@njit(cache=True)
def _held(rules: int, m: Any, p: int, k: int) -> Any:
    """The squares where another player immobilises what p has of size k."""
    own, o = 3 * p, 3 - 3 * p
    if k == 1:
        return m[own + 1] & m[o + 2]
    if k == 0 and rules & ANY_ABOVE:
        return m[own] & (m[o + 1] | m[o + 2])
    return m[own] & (m[o + 2] | (m[o + 1] & ~m[own + 2])) if k == 0 else 0


@njit(cache=True)
def _can_move(board: Any, rules: int, m: Any, p: int, where: int, advancing: bool) -> bool:
    """Has an uncovered pyramid of p on one of these squares a base move (that advances)?"""
    for k in range(3):
        left = m[3 * p + k] & where & ~_covered(m, k)
        while left:
            q = _lowest(left)
            left &= left - 1
            ends = _ends(board, rules, m, p, k, q)
            if ends & board[p, q, HIGHER] or (ends and not advancing):
                return True
    return False


@njit(cache=True)
def _in_pat(board: Any, rules: int, m: Any, p: int) -> bool:
    racing = ~board[p, 0, FINISH]
    if rules & PAT_OFF or not (_held(rules, m, p, 0) | _held(rules, m, p, 1)) & racing:
        return False
    if rules & PAT_NO_MOVE:
        return not _can_move(board, rules, m, p, -1, False)
    for k in range(3):
        own, covered = m[3 * p + k] & racing, _covered(m, k)
        if rules & SELF_COVER and own & covered & ~_held(rules, m, p, k):
            return False
        if rules & PAT_ROW and own & ~covered & ~board[p, 0, BRINK]:
            return False
    if _can_move(board, rules, m, p, racing, True):
        return False
    if rules & FINISHED_BREAKS and _can_move(board, rules, m, p, ~racing, False):
        return False
    return not (rules & EVER and _ever_advances(board, rules, m, p))


@njit(cache=True)
def _ever_advances(board: Any, rules: int, m: Any, p: int) -> bool:
    """Could p, moving alone, come to have an advancing move?"""
    positions = np.empty((64, 6), dtype=np.int64)
    positions[0] = m
    count, done = 1, 0
    while done < count:
        here = positions[done].copy()
        done += 1
        if _can_move(board, rules, here, p, -1, True):
            return True
        for k in range(3):
            left = here[3 * p + k] & ~_covered(here, k)
            while left:
                q = _lowest(left)
                left &= left - 1
                ends = _ends(board, rules, here, p, k, q) & ~(1 << q)
                while ends:
                    if count == len(positions):
                        positions = np.concatenate((positions, np.empty_like(positions)))
                    positions[count] = here
                    positions[count, 3 * p + k] ^= (ends & -ends) | 1 << q
                    ends &= ends - 1
                    count += not _known(positions, count)
    return False


@njit(cache=True)
def _known(positions: Any, count: int) -> bool:
    """Is the entry behind the first `count` one of them?"""
    row = 0
    while row < count and (positions[row] != positions[count]).any():
        row += 1
    return row < count


@njit(cache=True)
def _effects(board: Any, rules: int, m: Any, k: int, q: int, e: int, before: bool, own_before: bool) -> int:
    """What the mover's base move does, unless it wins; `before`: who was in pat, the other and the mover."""
    effects = ADVANCES if (board[0, q, HIGHER] >> e) & 1 else 0
    if e != q:
        effects |= _freeing(rules, m, k, 1 << q, ~board[1, q, FINISH])
    m[k] ^= 1 << q
    covered, own = _covering(rules, m, 1), _covering(rules, m, 0) if rules & S2_ANYONE else 0
    m[k] ^= 1 << e
    if (covered >> e) & 1 and not (rules & S2_NEW and before) and _in_pat(board, rules, m, 1):
        effects |= FORBIDDEN
    if (own >> e) & 1 and not (rules & S2_NEW and own_before) and _in_pat(board, rules, m, 0):
        effects |= FORBIDDEN
    m[k] ^= 1 << q | 1 << e if e != q else 0
    return effects


@njit(cache=True)
def _covering(rules: int, m: Any, p: int) -> Any:
    """Where a pyramid of the mover's, which is in the air, must not come down if that leaves p in pat."""
    own, o = 3 * p, 3 - 3 * p
    if rules & S2_VICTIM and rules & COVER_TOP:
        return m[own + 2] | m[own + 1] & ~m[o + 2] | m[own] & ~(m[o + 1] | m[o + 2])  # p's larger ones are in it too
    if rules & S2_VICTIM:
        return m[own] | m[own + 1] | m[own + 2]
    return m[0] | m[1] | m[2] | m[3] | m[4] | m[5] if rules & S2_COVER else -1


@njit(cache=True)
def _freeing(rules: int, m: Any, k: int, bit: int, racing: int) -> int:
    """What it does to the other player that the mover's top of size k leaves this square."""
    if not (m[3] | m[4]) & bit & racing:
        return 0
    own_on_top = k == 2 and m[1] & bit
    return LIFTS if own_on_top and not rules & FREE_LIFT else LIFTS | FREES


@njit(cache=True)
def _any(effects: Any, count: int, wanted: int, barred: int) -> bool:
    """Has a base move all the wanted effects and none of the barred ones?"""
    at = 0
    while at < count and (effects[at] & wanted != wanted or effects[at] & barred):
        at += 1
    return at < count


@njit(cache=True)
def _duty(rules: int, effects: Any, count: int) -> tuple[int, int]:
    """The effects wanted of, and barred to, who has a duty; (0, 0) if only a pass is left, (0, FORBIDDEN) if none."""
    if _any(effects, count, FREES, FORBIDDEN):
        return FREES, FORBIDDEN
    if rules & DUTY_FIRST and _any(effects, count, FREES, 0):
        return FREES, 0
    if rules & CANNOT_PASS:
        return 0, 0
    if rules & CANNOT_LIFT and _any(effects, count, LIFTS, FORBIDDEN):
        return LIFTS, FORBIDDEN
    if rules & CANNOT_LIFT and rules & DUTY_FIRST and not rules & LIFT_YIELDS and _any(effects, count, LIFTS, 0):
        return LIFTS, 0
    return 0, FORBIDDEN


@njit(cache=True)
def _may_pass(rules: int, effects: Any, count: int) -> bool:
    """Without a duty that a move meets."""
    if rules & PASS_STUCK:
        return not _any(effects, count, 0, FORBIDDEN)
    if rules & PASS_BLOCKED:
        return not _any(effects, count, ADVANCES, FORBIDDEN)
    return rules & PASS_ALWAYS != 0


@njit(cache=True)
def _waits(board: Any, rules: int, m: Any) -> bool:
    """Does the other immobilise a pyramid of the mover's, and is an uncovered one short of row 7?"""
    racing = ~board[0, 0, FINISH]
    free = m[0] & ~_covered(m, 0) | m[1] & ~_covered(m, 1) | m[2]
    held = (_held(rules, m, 0, 0) | _held(rules, m, 0, 1)) & racing
    return bool(held != 0 and free & racing & ~board[0, 0, BRINK] != 0)


# -- Successors ----------------------------------------------------------------------------------------------


@njit(cache=True)
def expand(
    keys: Any, board: Any, rules: int, sets: Any, masks: Any, number: Any, moved: Any, tells_mover: bool,
    kind: Any, first: Any, succ: Any,
) -> None:  # fmt: skip
    """Fill in kinds, and the successors one after the other. A key is the turn, the mover's half, the other's."""
    count = len(sets)
    m = np.empty(6, dtype=np.int64)
    results, effects = np.empty(1024, dtype=np.int64), np.empty(1024, dtype=np.int64)
    total = 0
    for i in range(len(keys)):
        rest, other = keys[i] // count, keys[i] % count
        turn, own = rest // count, rest % count
        for k in range(3):
            m[k], m[3 + k] = masks[0, own, k], masks[1, other, k]
        if m[0] & m[3] or m[1] & m[4] or m[2] & m[5]:
            kind[i] = VOID
        else:
            base = (((1 - turn) * count if tells_mover else 0) + other) * count
            duty = _in_pat(board, rules, m, 1)
            made = _base_moves(board, rules, sets, number, moved, m, own, base, duty, results, effects)
            open_rules = rules | PASS_BLOCKED if rules & PASS_WAITING and _waits(board, rules, m) else rules
            end = _choose(open_rules, results, effects, made, duty, base + own, succ, total)
            kind[i] = MOVE if end > total else TIE
            total = end
        first[i + 1] = total


@njit(cache=True)
def _base_moves(
    board: Any, rules: int, sets: Any, number: Any, moved: Any, m: Any, own: int, base: int, duty: bool,
    results: Any, effects: Any,
) -> int:  # fmt: skip
    """List the base moves by what they lead to and what they do, and say how many they are."""
    made, n = 0, len(moved)
    own_pat = rules & S2_ANYONE != 0 and rules & S2_NEW != 0 and _in_pat(board, rules, m, 0)
    code = (sets[own, 0] * n + sets[own, 1]) * n + sets[own, 2]
    for k in range(3):
        weight = n * n if k == 0 else n if k == 1 else 1
        left = m[k] & ~_covered(m, k)
        while left:
            q = _lowest(left)
            left &= left - 1
            ends = _ends(board, rules, m, 0, k, q)
            while ends:
                e = _lowest(ends)
                ends &= ends - 1
                half = number[code + (moved[sets[own, k], q, e] - sets[own, k]) * weight]
                effects[made] = _effects(board, rules, m, k, q, e, duty, own_pat)
                if half == FINISHED:  # when the game is over nobody is in pat
                    effects[made] &= ~FORBIDDEN
                assert half == FINISHED or half >= 0
                results[made] = LOST if half == FINISHED else base + half
                made += 1
    return made


@njit(cache=True)
def _choose(rules: int, results: Any, effects: Any, made: int, duty: bool, stay: int, succ: Any, at: int) -> int:
    """Write what legal moves lead to, each once, and say where the list ends; `stay` is what a pass leads to."""
    wanted, barred = _duty(rules, effects, made) if duty else (0, FORBIDDEN)
    only_pass = wanted == 0 and barred == 0
    passes = only_pass or (wanted == 0 and _may_pass(rules, effects, made))
    for i in range(0 if only_pass else made):
        if effects[i] & wanted == wanted and not effects[i] & barred:
            if results[i] == stay:  # a null move is a pass
                passes = True
            else:
                succ[at] = results[i]
                at += 1
    if passes:
        succ[at] = stay
        at += 1
    return at
