//! x86-64: relocations, relaxations and PLTs (x86-64 psABI).
