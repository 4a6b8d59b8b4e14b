"""Shorthands for those who write IR by hand."""
