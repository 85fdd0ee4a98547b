"""Puzzles: found with the engine, verified with the constraints, printed as a book.

| module       | what it is for |
|--------------|----------------|
| `model`      | what a puzzle says, and its strict form as one line of JSON |
| `rules`      | a game as puzzles ask about it, by either encoding |
| `kinds`      | what a kind of puzzle must be able to do, and the kinds of a game |
| `battle`     | win in N: trees with all defences, tries, set play, duals, levels |
| `lines`      | solutions that are one line of moves |
| `proofgames` | how did this position arise? |
| `verdicts`   | legal or not, and by which rule? |
| `whole`      | the only move that does not lose, in a game solved whole |
| `generic`    | the kinds that every game has |
| `only_move`  | of them: one move keeps the value |
| `forced`     | of them: win in N |
| `shortest`   | of them: proof games |
| `judged`     | of them: legal or not |
| `pools`      | positions for them, from all play of a game's versions |
| `stated`     | a game played by its constraints |
| `mining`     | collections from a seed, the same at any number of jobs |
| `verify`     | a collection proved again from its text alone |
| `words`      | a solution in words, for the terminal and the book |
| `book`       | PDF and HTML for people |
"""
