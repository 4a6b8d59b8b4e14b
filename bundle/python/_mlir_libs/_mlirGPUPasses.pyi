"""A native part of the dialect `gpu`: importing it registers the passes."""
