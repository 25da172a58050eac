//! On-disk structures.
