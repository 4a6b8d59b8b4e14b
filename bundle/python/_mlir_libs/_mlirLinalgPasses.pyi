"""A native part of the dialect `linalg`: importing it makes its passes known."""
