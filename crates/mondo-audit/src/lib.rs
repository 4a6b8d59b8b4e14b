//! Bytes to sorted findings; no I/O, and no knowledge of building.
