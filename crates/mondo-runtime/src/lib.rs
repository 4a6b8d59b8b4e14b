//! The core runtime of the mondo library.
