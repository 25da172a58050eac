//! A GOT that the loader fills without relocations, by the order of its words and of `.dynsym`
//! (MIPS supplement of the System V ABI, "Global Offset Table").
//!
//! Words of the loader come first. To the words of this module behind them it adds the base
//! address. Then there is a word for each of the last symbols of `.dynsym`, in the same order.
//! Words behind these are relocated as on any other machine.

/// What such a machine is told, and what its code counts from.
#[derive(Debug)]
pub struct ListedGot {
    /// Words at the start that belong to the loader. The second has its highest bit set: the loader
    /// may store a pointer there.
    pub reserved: u64,
    /// The global pointer is this many bytes behind the start of `.got`.
    pub pointer: u64,
    /// Section flag, SHF_*: code reaches the section from the global pointer.
    pub section_flag: u32,
    /// Other names of the global pointer.
    pub pointer_names: &'static [&'static str],
    /// The type that the loader is given for a word with the address of a symbol.
    pub word: u32,
    /// STO_*: bit of `st_other` for an undefined function with an address, that of its PLT entry.
    /// Without it the loader takes the address for that of a stub.
    pub canonical_mark: u8,
    /// DT_* with these tables.
    pub tags: ListedTags,
}

/// DT_* of a machine with such a GOT.
#[derive(Debug)]
pub struct ListedTags {
    /// The version of what is described by the others.
    pub version: u32,
    /// Flags: what old loaders may do.
    pub flags: u32,
    /// The address that the first segment was linked for.
    pub base_address: u32,
    /// How many words are the loader's and this module's.
    pub local_count: u32,
    /// How many symbols `.dynsym` has.
    pub symbol_count: u32,
    /// Index of the first symbol with a word.
    pub first_symbol: u32,
    /// Address of `.got.plt`, while DT_PLTGOT is that of `.got`.
    pub plt_got: u32,
    /// Address of a word for debuggers, as `.dynamic` cannot be written.
    pub debug_word: u32,
    /// The same as distance from the tag.
    pub debug_distance: u32,
}
