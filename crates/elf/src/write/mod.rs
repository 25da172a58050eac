//! Bytes: the output is cut into spans and written front to back.
