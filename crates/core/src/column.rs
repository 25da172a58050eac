//! column
