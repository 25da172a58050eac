//! Every address, size and file offset.
