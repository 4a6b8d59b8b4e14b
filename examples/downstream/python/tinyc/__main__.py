"""`python -m tinyc "6 * 7"` prints the compiled sum."""

import sys

from . import compile_sum

print(compile_sum(sys.argv[1]))
