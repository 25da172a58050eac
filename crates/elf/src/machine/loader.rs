//! Relocation types for the dynamic linker, by purpose.

/// Relocation types of one machine for the dynamic linker. Letters are those of the psABI.
pub struct LoaderTypes {
    /// S + A, where S is looked up at load time; also the input's type for such a word.
    pub word: u32,
    /// Other types of inputs for such a word.
    pub same_words: &'static [u32],
    /// A word of another width than an address; `None` if the loader knows none.
    pub other_word: Option<OtherWord>,
    /// Words with signed pointers, if the loader knows such.
    pub signed: Option<SignedWords>,
    /// B + A: the base address is added, no symbol is looked up.
    pub relative: u32,
    /// IFUNC: the result of the resolver at B + A; the type that does nothing (0) if the psABI has
    /// none for that.
    pub irelative: u32,
    /// S, in a word of `.got`.
    pub glob_dat: u32,
    /// S, in a word of `.got.plt` that may be bound lazily.
    pub jump_slot: u32,
    /// The content of a library's variable.
    pub copy: u32,
    /// The type of inputs for a word with the address of the GOT; `None` if there is none.
    pub got_address: Option<u32>,
    /// TLS: the module number, in the first word for `__tls_get_addr`.
    pub module: u32,
    /// TLS: the offset in the module's block, in the second word for `__tls_get_addr`.
    pub module_offset: u32,
    /// TLS: the offset from the thread pointer.
    pub thread_offset: u32,
    /// TLS: its negative, for machines with code that subtracts it.
    pub negative_thread_offset: Option<u32>,
    /// Types of inputs for words with such an offset, and the loader's.
    pub thread_offset_words: &'static [(u32, ThreadOffset)],
    /// The type of inputs for words with the address of a word of `.got` that holds an offset from
    /// the thread pointer.
    pub thread_offset_place: Option<u32>,
    /// TLS: both words of a descriptor; `None` for a machine without TLSDESC.
    pub descriptor: Option<u32>,
    /// Where the addend of a relocation without one (DT_REL) is: offset from `r_offset`, and bytes.
    /// `None` for types that use no addend.
    pub addend_field: fn(u32) -> Option<(u64, usize)>,
    /// DT_*: address of `.plt`, its bytes and those of an entry, for tools and loaders that rewrite
    /// the PLT (`-z mark-plt`).
    pub plt_tags: Option<[u32; 3]>,
}

impl LoaderTypes {
    /// For a machine whose programs no system loads: all types are the one that does nothing, but
    /// for that of words in inputs.
    pub const fn none(word: u32) -> LoaderTypes {
        LoaderTypes {
            word,
            same_words: &[],
            other_word: None,
            signed: None,
            relative: 0,
            irelative: 0,
            glob_dat: 0,
            jump_slot: 0,
            copy: 0,
            got_address: None,
            module: 0,
            module_offset: 0,
            thread_offset: 0,
            negative_thread_offset: None,
            thread_offset_words: &[],
            thread_offset_place: None,
            descriptor: None,
            addend_field: |_| None,
            plt_tags: None,
        }
    }
}

/// Relocation types of words with signed pointers. The upper half of such a word has the signing
/// schema, and is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedWords {
    /// S + A; also the input's type.
    pub word: u32,
    /// B + A.
    pub relative: u32,
    /// The result of the resolver at B + A.
    pub irelative: u32,
    /// S, in a word of `.got`.
    pub glob_dat: u32,
    /// Both words of a TLS descriptor.
    pub descriptor: u32,
    /// The schema of a word of `.got` with the address of a function.
    pub code_schema: u64,
    /// Likewise of data.
    pub data_schema: u64,
    /// The table of packed relocations for such words.
    pub packed: PackedTable,
}

/// A table of packed relative relocations: its section and its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedTable {
    /// `sh_type`.
    pub sh_type: u32,
    /// DT_* of its address, its bytes and those of an entry.
    pub tags: [u32; 3],
}

/// A word of another width than an address, which the loader can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherWord {
    /// S + A; also the input's type.
    pub r_type: u32,
    /// B + A.
    pub relative: u32,
}

/// A loader's relocation type for an offset from the thread pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadOffset {
    /// The type.
    pub r_type: u32,
    /// The thread pointer minus the symbol.
    pub is_negative: bool,
}

impl LoaderTypes {
    /// Whether the loader calls a resolver for a relocation of this type.
    #[inline(always)]
    pub fn is_irelative(&self, r_type: u32) -> bool {
        r_type == self.irelative && self.has_ifunc()
            || self.signed.is_some_and(|signed| signed.irelative == r_type)
    }

    /// Whether functions may be chosen at run time.
    #[inline(always)]
    pub fn has_ifunc(&self) -> bool {
        self.irelative != 0
    }

    /// The loader's type for a word of an input with an offset from the thread pointer.
    pub fn thread_offset_of(&self, r_type: u32) -> Option<ThreadOffset> {
        self.thread_offset_words.iter().find(|word| word.0 == r_type).map(|word| word.1)
    }
}
