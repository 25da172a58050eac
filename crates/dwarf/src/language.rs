//! Rules for names that depend on the source language of a unit.

use super::names::QualifiedId;
use gimli::constants::*;

/// Languages, as far as their rules for names differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// C: one name space for the whole program.
    C,
    /// C++.
    Cxx,
    /// Rust.
    Rust,
    /// Go, D.
    Dotted,
    /// Ada, whose names already include their scopes.
    Ada,
    /// Fortran, in which procedures are nested.
    Fortran,
    /// All others, assemblers among them.
    #[default]
    Other,
}

impl Language {
    /// The language of a DW_AT_language code (DWARF 5, section 7.12).
    pub fn of(code: u64) -> Language {
        let Ok(code) = u16::try_from(code) else { return Language::Other };
        match DwLang(code) {
            DW_LANG_C | DW_LANG_C89 | DW_LANG_C99 | DW_LANG_C11 | DW_LANG_C17 => Language::C,
            DW_LANG_C_plus_plus
            | DW_LANG_C_plus_plus_03
            | DW_LANG_C_plus_plus_11
            | DW_LANG_C_plus_plus_14
            | DW_LANG_C_plus_plus_17
            | DW_LANG_C_plus_plus_20 => Language::Cxx,
            DW_LANG_Rust => Language::Rust,
            DW_LANG_Go | DW_LANG_D => Language::Dotted,
            DW_LANG_Ada83 | DW_LANG_Ada95 | DW_LANG_Ada2005 | DW_LANG_Ada2012 => Language::Ada,
            DW_LANG_Fortran77 | DW_LANG_Fortran90 | DW_LANG_Fortran95 | DW_LANG_Fortran03
            | DW_LANG_Fortran08 | DW_LANG_Fortran18 => Language::Fortran,
            _ => Language::Other,
        }
    }

    /// Whether linkage names are indexed in addition to source names (Ada's exports). They are not
    /// if they are mangled, because the symbol table has these too.
    pub fn lists_linkage_names(self) -> bool {
        !matches!(self, Language::Cxx | Language::Rust)
    }

    /// The root scope of the language.
    pub fn outside(self) -> QualifiedId {
        match self {
            Language::C | Language::Cxx => QualifiedId::C,
            Language::Dotted => QualifiedId::DOTS,
            _ => QualifiedId::COLONS,
        }
    }

    /// Whether names are indexed with their scopes.
    pub fn has_scopes(self) -> bool {
        matches!(self, Language::Cxx | Language::Rust | Language::Dotted)
    }

    /// Whether functions may contain functions that are indexed.
    pub fn nests_functions(self) -> bool {
        matches!(self, Language::Ada | Language::Fortran)
    }
}
