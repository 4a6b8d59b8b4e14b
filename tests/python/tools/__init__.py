"""The suite of the commands that a bundle with MLIR's tools installs."""
