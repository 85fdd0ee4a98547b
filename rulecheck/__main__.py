"""The way in, with nothing imported at the top: Ctrl-C is answered with a sentence from the first moment on."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    gc.set_threshold(50_000, 20, 50)  # positions and terms are many and rarely refer to each other in circles
    try:
        from rulecheck.cli import main as run

        run()
    except KeyboardInterrupt:
        print("rulecheck: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
