"""No part of the wheel."""

raise AssertionError("the project's own scripts do not ship")
