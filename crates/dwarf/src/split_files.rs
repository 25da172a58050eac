//! The `.dwo` files of a program's skeleton units (DWARF 5, section 7.3.2; up to DWARF 4, GNU's
//! extensions), as far as names need them.

use super::sections::{Contribution, Sections};
use super::units::{Unit, UnitKind};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;

/// The sections of a `.dwo` file that are needed to find names.
#[derive(Debug, Default)]
pub struct SplitFile {
    /// The order of bytes in numbers.
    pub order: ByteOrder,
    /// `.debug_info.dwo`, then each `.debug_types.dwo`.
    pub units: Vec<Cow<'static, [u8]>>,
    /// `.debug_abbrev.dwo`.
    pub abbreviations: Cow<'static, [u8]>,
    /// `.debug_str.dwo`.
    pub strings: Cow<'static, [u8]>,
    /// `.debug_str_offsets.dwo`.
    pub string_offsets: Cow<'static, [u8]>,
}

/// Opens the files that skeleton units name.
pub trait SplitFiles: Sync {
    /// The file `name`, relative to the compilation directory `directory` unless `name` is
    /// absolute. `None` if the file cannot be read; the implementor reports why.
    fn open(&self, directory: &[u8], name: &[u8]) -> Option<SplitFile>;
}

impl SplitFile {
    /// Calls `take` with each unit that belongs to the skeleton `unit`: all units of the file but
    /// those that have the id of another skeleton.
    ///
    /// # Errors
    /// The first fault of the file, or what `take` returns.
    pub fn units(
        &self,
        skeleton: &Unit,
        mut take: impl FnMut(&Sections<'_>, Unit, bool) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        for (at, units) in self.units.iter().enumerate() {
            let is_types = at != 0;
            let (content, none): (&[u8], &[u8]) = (units, &[]);
            let sections = Sections {
                order: self.order,
                info: if is_types { &none } else { &content },
                types: if is_types { &content } else { &none },
                abbreviations: &self.abbreviations,
                strings: &self.strings,
                string_offsets: &self.string_offsets,
                ..Sections::default()
            };
            let whole = Contribution { is_types, start: 0, size: content.len() as u64 };
            let (units, fault) = sections.units(whole);
            for unit in units {
                let is_other = match (unit.kind, skeleton.kind) {
                    (
                        UnitKind::SplitCompile { dwo_id },
                        UnitKind::Skeleton { dwo_id: skeleton_id },
                    ) => dwo_id != skeleton_id,
                    _ => false,
                };
                if !is_other {
                    take(&sections, unit, is_types)?;
                }
            }
            fault.map_or(Ok(()), Err)?;
        }
        Ok(())
    }
}
