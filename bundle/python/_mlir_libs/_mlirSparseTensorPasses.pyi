"""A native part of the dialect `sparse_tensor`: importing it registers the passes."""
