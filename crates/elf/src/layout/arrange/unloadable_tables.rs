//! Tables of the linker that a script puts into memory that the loader does not fill: `NOLOAD`, or
//! a stated type of NOBITS. Their bytes would be lost, and the program would not work.

use crate::layout::items::Unfilled;
use crate::layout::{OutputSection, Synthetic};

/// The tables among `parts`, by their own names: later all parts of an output section have one
/// name.
pub(super) fn tables(parts: &[OutputSection]) -> Vec<Unfilled> {
    let tables = parts.iter().filter_map(|part| Some((part.kind()?, part)));
    let needed = tables.filter(|&(table, _)| is_read(table));
    needed.map(|(table, part)| Unfilled { table, name: part.name.clone() }).collect()
}

/// Whether code or the loader reads the bytes of this section. Notes are read from the file.
/// Records of inputs are, like data of inputs, the script's responsibility.
fn is_read(table: Synthetic) -> bool {
    use Synthetic::*;
    match table {
        Interp | Dynamic | DynSym | DynStr | Hash | GnuHash => true,
        Versym | Verdef | Verneed => true,
        RelaDyn | RelrDyn | SignedRelrDyn | RelaPlt | MemtagGlobals => true,
        Plt | PltGot | Got | GotPlt | EhFrameHdr => true,
        Loaded0 | Loaded1 | Loaded2 | DebugWord => true,
        Attributes | BuildId | Property | Package | Memtag | EhFrame | SFrame | RelroPadding => {
            false
        }
        SymTab | SymTabShndx | StrTab | ShStrTab | GdbIndex | DebugNames => false,
        Compressed(_) | EmitRelocs(_) | Stated(_) => false,
        Group(_) | StackNote | AddressTable => false,
    }
}
