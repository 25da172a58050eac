//! Test runner.
