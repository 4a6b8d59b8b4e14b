"""`python -m tinyc "6 * 7"`, and the script `tinyc`, print the compiled sum."""

import sys

from . import compile_sum


def main() -> None:
    print(compile_sum(sys.argv[1]))


if __name__ == "__main__":
    main()
