"""The way in, with nothing imported at the top: Ctrl-C is answered with a sentence from the first moment on."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from rulecheck.cli import main as run

        run()
    except KeyboardInterrupt:
        print("rulecheck: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
