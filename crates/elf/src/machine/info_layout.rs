//! How `r_info` is divided in 64-bit files.

/// Where a file has the symbol and the type of a relocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InfoLayout {
    /// One number: the symbol is its upper half, the type its lower one (gABI).
    #[default]
    Number,
    /// The symbol is a number of 32 bits, and four bytes follow, the lowest part of the type last
    /// (64-bit MIPS). In big-endian files that is the same as [`InfoLayout::Number`].
    Bytes,
}
