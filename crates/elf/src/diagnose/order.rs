//! In which order the messages of a checkpoint come.
//!
//! A message about one file comes where the file stands on the command line: its number is the
//! first word of the key. Messages about the link as a whole come behind those, kind by kind.

use skald_core::diag::Key;

/// Kinds of messages about the link as a whole, in the order in which they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MessageKind {
    /// `--warn-common`.
    CommonSymbol,
    /// `--warn-backrefs`.
    BackwardReference,
    /// An executable stack.
    ExecutableStack,
    /// `--detect-odr-violations`.
    OneDefinitionRule,
    /// `--warn-ifunc-textrel`.
    IfuncWithTextRelocations,
    /// `--warn-section-align`.
    MovedSection,
    /// Output sections that overlap.
    Overlap,
    /// A symbol that an object warns of is used.
    WarnedSymbol,
    /// A segment that can be written and executed.
    WritableCode,
    /// ASSERT of a script.
    Assertion,
    /// A symbol that has a meaning of its own, or that cannot be.
    InvalidSymbol,
    /// A name defined twice.
    Duplicate,
    /// A library's definition with a version that cannot be.
    LibraryVersion,
    /// Definitions of one name, thread-local and not.
    MixedDefinitions,
    /// A reference to a thread-local symbol as another kind, or the reverse.
    MixedReference,
    /// A library that others need is not found.
    MissingLibrary,
    /// A name that nothing defines.
    Undefined,
    /// The same, of an option.
    UndefinedByOption,
    /// What shared libraries ask for, library by library.
    LibraryImport,
    /// A stack trace table that cannot be merged.
    StackTrace,
    /// A relocation that cannot be, section by section.
    Relocation,
    /// Orders of sections that cannot be followed.
    SectionOrder,
}

impl MessageKind {
    /// Of the message that is number `at` of its kind.
    pub fn key(self, at: u64) -> Key {
        self.key_within(0u32, at)
    }

    /// The same for kinds whose messages come by what they are of, such as a section.
    pub fn key_within(self, part: impl Into<u64>, at: u64) -> Key {
        let part: u64 = part.into();
        debug_assert!(part <= u64::from(u32::MAX));
        // Files have numbers of 32 bits.
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
