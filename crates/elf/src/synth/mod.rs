//! What the linker adds: one file per synthetic section.
