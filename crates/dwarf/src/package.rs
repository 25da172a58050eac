//! DWARF packages (`.dwp`): the contents of a program's `.dwo` files in one file, with tables by
//! which debuggers find the contributions of a unit. The format is DWARF 5, section 7.3.5; for
//! DWARF 4, the form that GNU's `dwp` made first (the GCC wiki, "DebugFissionDWP").
//!
//! A unit is identified by 64 bits: a compilation unit by the id that it shares with its skeleton
//! in the program, a type unit by its signature. [`split_units`] reads the units of a file,
//! [`layout`] decides which parts of each file are taken and where they are placed, [`index`] makes
//! the tables. All other sections of a file are contributions that its units share, copied as they
//! are; but strings are merged over all files ([`strings`]), so tables of string offsets are
//! rewritten ([`string_tables`]). A file may be a package itself; then its own tables list the
//! contributions of a unit ([`rows`]).
//!
//! This code does not depend on the file format that contains the sections.

pub mod first_entry;
pub mod index;
pub mod layout;
pub mod rows;
pub mod split_units;
pub mod string_tables;
pub mod strings;

use skald_core::id;

id! {
    /// A `.dwo` file, in the order in which the objects of a link name them.
    DwoId
}

/// The two forms of packages. All units of a program have the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Version 2 of the tables: DWARF up to 4, with GNU's extensions.
    Gnu,
    /// Version 5 of the tables: DWARF 5.
    Dwarf5,
}

impl Form {
    /// The form of packages that units of this DWARF version go into.
    pub fn of_version(version: u16) -> Form {
        if version >= 5 { Form::Dwarf5 } else { Form::Gnu }
    }
}

/// The kind of a section of a `.dwo` file or of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Compilation units.
    Info,
    /// Type units of DWARF 4.
    Types,
    /// Abbreviations.
    Abbreviations,
    /// File names of type units.
    Lines,
    /// Locations of DWARF 4.
    Locations,
    /// Locations of DWARF 5.
    LocationLists,
    /// Offsets of strings.
    StringOffsets,
    /// Macros of DWARF 4.
    Macinfo,
    /// Macros of DWARF 5, and of GNU's extension of DWARF 4.
    Macros,
    /// Ranges of DWARF 5.
    RangeLists,
    /// Strings, which have no column in the tables.
    Strings,
}

impl Kind {
    /// All kinds, in the order of their sections in a package.
    pub const ALL: [Kind; 11] = [
        Kind::Info,
        Kind::Types,
        Kind::Abbreviations,
        Kind::Lines,
        Kind::Locations,
        Kind::LocationLists,
        Kind::StringOffsets,
        Kind::Macinfo,
        Kind::Macros,
        Kind::RangeLists,
        Kind::Strings,
    ];

    /// The name of such a section.
    pub fn section_name(self) -> &'static str {
        match self {
            Kind::Info => ".debug_info.dwo",
            Kind::Types => ".debug_types.dwo",
            Kind::Abbreviations => ".debug_abbrev.dwo",
            Kind::Lines => ".debug_line.dwo",
            Kind::Locations => ".debug_loc.dwo",
            Kind::LocationLists => ".debug_loclists.dwo",
            Kind::StringOffsets => ".debug_str_offsets.dwo",
            Kind::Macinfo => ".debug_macinfo.dwo",
            Kind::Macros => ".debug_macro.dwo",
            Kind::RangeLists => ".debug_rnglists.dwo",
            Kind::Strings => ".debug_str.dwo",
        }
    }

    /// The kind of section that has this name.
    pub fn of_name(name: &[u8]) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.section_name().as_bytes() == name)
    }

    /// DW_SECT_*: the number of its column in the tables; `None` if such packages have none.
    pub fn column(self, form: Form) -> Option<u32> {
        Some(match (form, self) {
            (_, Kind::Info) => 1,
            (Form::Gnu, Kind::Types) => 2,
            (_, Kind::Abbreviations) => 3,
            (_, Kind::Lines) => 4,
            (Form::Gnu, Kind::Locations) | (Form::Dwarf5, Kind::LocationLists) => 5,
            (_, Kind::StringOffsets) => 6,
            (Form::Gnu, Kind::Macinfo) | (Form::Dwarf5, Kind::Macros) => 7,
            (Form::Gnu, Kind::Macros) | (Form::Dwarf5, Kind::RangeLists) => 8,
            _ => return None,
        })
    }

    /// Whether such a section has units, some of which may be left out.
    pub fn has_units(self) -> bool {
        matches!(self, Kind::Info | Kind::Types)
    }

    /// Whether a file may have several such sections: compilers put units that other files may
    /// have, too, into section groups.
    pub fn may_be_repeated(self) -> bool {
        self.has_units() || self == Kind::Macros
    }
}

/// A number of bytes for each kind of section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes([u64; Kind::ALL.len()]);

impl Sizes {
    /// The size of the sections of one kind.
    pub fn get(&self, kind: Kind) -> u64 {
        let position = kind as usize;
        self.0[position]
    }

    /// The size of the sections of one kind, to be changed.
    pub fn get_mut(&mut self, kind: Kind) -> &mut u64 {
        let position = kind as usize;
        &mut self.0[position]
    }
}
