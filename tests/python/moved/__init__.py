"""The installed package in other places, whole and in parts."""
