//! par
