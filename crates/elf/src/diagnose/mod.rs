//! Messages that need more than the good path keeps.
