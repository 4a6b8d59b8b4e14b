"""A native part of the dialect `async`: importing it registers the passes."""
