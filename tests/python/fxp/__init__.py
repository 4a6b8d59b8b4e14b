"""The `fxp` dialect, from installed wheels: the base and the one with the dialect's extension.

``MONDO_IMPORT_ROOT`` and ``MONDO_BUNDLE`` say what is installed, as for the suite.
"""
