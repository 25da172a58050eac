//! Procedure linkage tables, as a machine describes them: sizes, functions that write the code, and
//! how it is unwound.

use std::fmt;

/// What the output says of itself, as far as PLTs depend on that: its `.note.gnu.property`, and its
/// header.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promises {
    /// Feature bits.
    pub features: u64,
    /// Pointers are signed by a schema that is known.
    pub signs_pointers: bool,
    /// `e_flags`.
    pub header_flags: u32,
}

/// A PLT entry from which a 32-bit distance does not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PltOutOfReach {
    /// Address of the header or entry.
    pub from: u64,
    /// Address that an instruction there cannot reach.
    pub to: u64,
}

impl fmt::Display for PltOutOfReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PLT at {:#x} is more than 2 GiB away from {:#x}", self.from, self.to)
    }
}

impl std::error::Error for PltOutOfReach {}

/// The addresses that a PLT entry is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PltEntry {
    /// Address of the header of `.plt`.
    pub plt_address: u64,
    /// Address of this entry.
    pub entry_address: u64,
    /// Address of the GOT entry that it jumps through.
    pub got_entry_address: u64,
    /// Value of `_GLOBAL_OFFSET_TABLE_`.
    pub got_base: u64,
    /// Index of the function's relocation among those of `DT_JMPREL`; nothing reads it in entries
    /// that are not lazy.
    pub index: u32,
}

/// The code of a PLT, of the kind that options and properties ask for. Writers take slices of
/// exactly the size of the header or entry, and write every byte.
pub struct Plt {
    /// `sh_addralign` of `.plt` and `.plt.got`.
    pub align: u64,
    /// `sh_entsize` of `.plt` and of `.plt.got`.
    pub entsize: [u64; 2],
    /// Bytes of the header of `.plt`.
    pub header_size: usize,
    /// Bytes of an entry of `.plt`.
    pub entry_size: usize,
    /// Bytes of an entry that never binds lazily (`.plt.got`).
    pub direct_entry_size: usize,
    /// Whether a direct entry jumps into the header, so that the header must be there even if the
    /// `.plt` has no entry.
    pub direct_entry_needs_header: bool,
    /// The initial value of a word of `.got.plt`, from the addresses of the PLT and of the entry:
    /// where an unbound call continues towards the resolver. 0 if there is no lazy binding.
    pub initial_got_entry: fn(u64, u64) -> u64,
    /// Writes the header, from the addresses of the PLT and of the words that belong to the loader.
    pub write_header: fn(&mut [u8], u64, u64) -> Result<(), PltOutOfReach>,
    /// Writes an entry of `.plt`.
    pub write_entry: fn(&mut [u8], &PltEntry) -> Result<(), PltOutOfReach>,
    /// Writes an entry that never binds lazily.
    pub write_direct_entry: fn(&mut [u8], &PltEntry) -> Result<(), PltOutOfReach>,
    /// DT_*: what the loader is told of the code.
    pub tags: &'static [u32],
    /// The CIE of FDEs for the code: augmentation `zR`, PC-relative 4-byte addresses.
    pub cie: &'static [u8],
    /// For `.sframe` tables that FDEs of the PLT code can be added to: their ABI byte, and the
    /// offset of the return address. `None` if the format does not have the machine.
    pub sframe: Option<(u8, u8)>,
    /// CFI of the code: of `.plt`, and of `.plt.got`.
    pub unwinding: [Unwinding; 2],
}

impl Plt {
    /// A PLT without bytes, of a machine on which no loader binds functions.
    pub const NONE: Plt = Plt {
        align: 1,
        entsize: [0; 2],
        header_size: 0,
        entry_size: 0,
        direct_entry_size: 0,
        direct_entry_needs_header: false,
        initial_got_entry: |_, _| 0,
        write_header: |_, _, _| Ok(()),
        write_entry: |_, _| Ok(()),
        write_direct_entry: |_, _| Ok(()),
        tags: &[],
        cie: &[],
        sframe: None,
        unwinding: [const { Unwinding { instructions: None, rows: &[] } }; 2],
    };

    /// CFI of `.plt.got` if `is_direct`, else of `.plt`.
    pub fn unwinding(&self, is_direct: bool) -> &Unwinding {
        &self.unwinding[usize::from(is_direct)]
    }
}

/// How to unwind from the code of `.plt` or `.plt.got`.
#[derive(Clone, Copy, Debug)]
pub struct Unwinding {
    /// Instructions of its FDE; `None` for a table that cannot be described.
    pub instructions: Option<&'static [u8]>,
    /// The same unwinding as stack rows of `.sframe`.
    pub rows: &'static [StackRows],
}

/// A piece of the code as an FDE of `.sframe` describes it.
#[derive(Debug, Clone, Copy)]
pub struct StackRows {
    /// Offset of the piece in the table.
    pub start: u64,
    /// Bytes of the piece; `None` for the rest of the table.
    pub size: Option<u64>,
    /// Bytes after which the rows repeat; 0 if they are for the whole piece.
    pub repeat: u8,
    /// How many rows there are.
    pub count: u32,
    /// The rows as bytes of `.sframe`.
    pub rows: &'static [u8],
}
