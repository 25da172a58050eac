//! demangle
