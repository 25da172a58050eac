//! The order in which the messages between two checkpoints are printed.
//!
//! Messages about a file are sorted by its position on the command line, which is the first word of
//! the key. Messages about the link as a whole follow, kind by kind.

use skald_core::diag::Key;

/// Kinds of messages about the link as a whole, in the order in which they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// Common symbols whose definition is less aligned; `--warn-common`: those that are joined or
    /// replaced.
    CommonSymbol,
    /// `--warn-backrefs`: a reference to an earlier archive.
    BackwardReference,
    /// An object that makes the stack executable.
    ExecutableStack,
    /// `--detect-odr-violations`: definitions of one name from different sources.
    OneDefinitionRule,
    /// `--warn-ifunc-textrel`: IFUNCs and text relocations together.
    IfuncWithTextRelocations,
    /// `--warn-section-align`: the start of a section is moved by its alignment.
    MovedSection,
    /// Output sections that overlap.
    Overlap,
    /// Output sections whose load addresses overlap.
    LoadOverlap,
    /// A section that its segment does not hold.
    OutsideSegment,
    /// A symbol is used for which an object has a warning (`.gnu.warning.SYMBOL`).
    WarnedSymbol,
    /// A segment that can be written and executed.
    WritableCode,
    /// ASSERT of a script that does not hold.
    Assertion,
    /// An object defines a name that is reserved for the linker, or a symbol with wrong fields.
    InvalidSymbol,
    /// Several objects define a name.
    Duplicate,
    /// A library exports a symbol whose version says that it is local.
    LibraryVersion,
    /// One object defines a name as thread-local, another as a plain variable.
    MixedDefinitions,
    /// A reference to a thread-local symbol as a plain one, or the reverse.
    MixedReference,
    /// A library that other libraries need is not found.
    MissingLibrary,
    /// An object refers to a name that nothing defines.
    Undefined,
    /// An option refers to a name that nothing defines.
    UndefinedByOption,
    /// An import of a shared library that nothing defines, library by library.
    LibraryImport,
    /// An `.sframe` section that cannot be merged.
    StackTrace,
    /// A unit of debug information that no index has.
    DebugUnit,
    /// A relocation that cannot be applied, section by section.
    Relocation,
    /// A section order that cannot be followed.
    SectionOrder,
}

impl MessageKind {
    /// The key of message number `at` of this kind.
    pub fn key(self, at: u64) -> Key {
        self.key_within(0u32, at)
    }

    /// The key of message number `at` about `part`, such as a section, of this kind.
    pub fn key_within(self, part: impl Into<u64>, at: u64) -> Key {
        let part: u64 = part.into();
        debug_assert!(part <= u64::from(u32::MAX));
        // Numbers of files have 32 bits.
        ((1 + self as u64) << 32 | part, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_first_then_kinds_then_what_they_are_of() {
        let file = (u64::from(u32::MAX), u64::MAX);
        assert!(file < MessageKind::CommonSymbol.key(0));
        assert!(MessageKind::Undefined.key(u64::MAX) < MessageKind::UndefinedByOption.key(0));
        let relocation = |section: u32, at| MessageKind::Relocation.key_within(section, at);
        assert!(relocation(1, 9) < relocation(2, 0));
        assert!(relocation(u32::MAX, 9) < MessageKind::SectionOrder.key(0));
    }
}
