//! The texts of the linker's longer messages.
//!
//! Pure functions from a report to a string. The wording and the layout are lld's where lld has the
//! message: IDEs, build systems and bots parse them. Additional text is on `>>>` lines at the end,
//! which those parsers skip.

use super::location::Place;

/// Indent of the second line of a reference, below `>>> referenced by `.
const REFERENCE: &str = "               ";

/// Indent of the second line of a definition, below `>>> defined at `.
const DEFINITION: &str = "            ";

/// Visibility of a symbol outside its module (gABI, `st_other`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Visibility {
    /// `STV_DEFAULT`
    #[default]
    Default,
    /// `STV_PROTECTED`
    Protected,
    /// `STV_HIDDEN`
    Hidden,
    /// `STV_INTERNAL`
    Internal,
}

/// A symbol that is used but not defined by any input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndefinedReport {
    /// The symbol as it is to be printed.
    pub name: String,
    /// The strictest visibility that a reference asks for. If it is not default, the symbol cannot
    /// come from a shared library, and the message names it.
    pub visibility: Visibility,
    /// The references that the message lists.
    pub references: Vec<Place>,
    /// How many references there are, listed or not.
    pub total_references: usize,
    /// A suggestion of what the user may have meant, if there is one.
    pub hint: Option<Hint>,
}

impl UndefinedReport {
    /// The text of the message.
    pub fn render(&self) -> String {
        let visibility = match self.visibility {
            Visibility::Default => "",
            Visibility::Protected => "protected ",
            Visibility::Hidden => "hidden ",
            Visibility::Internal => "internal ",
        };
        let mut text = format!("undefined {visibility}symbol: {}", self.name);
        push_references(&mut text, &self.references, self.total_references);
        if let Some(hint) = &self.hint {
            text += &hint.render(&self.name);
        }
        text
    }
}

fn push_references(text: &mut String, references: &[Place], total: usize) {
    for place in references {
        *text += "\n>>> referenced by ";
        *text += &place.lines(REFERENCE);
    }
    let more = total.saturating_sub(references.len());
    if more > 0 {
        *text += &format!("\n>>> referenced {more} more times");
    }
}

/// A suggestion for an undefined symbol. `defined_in` is the name of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// A name that is spelled almost like it, or a function with other parameters.
    Similar {
        /// The other name as it is to be printed.
        name: String,
        /// Where it is defined.
        defined_in: String,
    },
    /// The reference is C++, the definition is C: the declaration lacks `extern "C"`.
    DefinedInC {
        /// The name of the definition.
        name: String,
        /// Where it is defined.
        defined_in: String,
    },
    /// The reference is C, the definition is C++: the definition lacks `extern "C"`.
    DefinedInCxx {
        /// The definition as it is to be printed, with parameters.
        name: String,
        /// Where it is defined.
        defined_in: String,
    },
    /// A virtual table, which is emitted along with the class's first non-inline virtual function
    /// (Itanium C++ ABI, section 5.2.3).
    KeyFunction,
    /// A definition that is local to its file (`static`).
    Local {
        /// Where it is defined.
        defined_in: String,
    },
    /// A definition that is hidden in a shared library.
    Hidden {
        /// Where it is defined.
        defined_in: String,
    },
    /// The reference asks for a version, and a library has others.
    OtherVersion {
        /// The name, without a version.
        name: String,
        /// A version that exists, or empty.
        version: String,
        /// The library that defines the symbol.
        defined_in: String,
    },
    /// The reference asks for no version, and a library keeps the name for old programs.
    OldVersion {
        /// The name, without a version.
        name: String,
        /// The version of the definition.
        version: String,
        /// The library that defines the symbol.
        defined_in: String,
    },
    /// Type information of a class whose virtual table exists.
    NoTypeInfo {
        /// Where the table is defined.
        defined_in: String,
    },
    /// The same function with the other of libstdc++'s two `std::string`s.
    OtherString {
        /// The definition as it is to be printed.
        name: String,
        /// Where it is defined.
        defined_in: String,
    },
    /// A library that is not part of the link defines it.
    NotLinked {
        /// The library's path.
        library: String,
        /// What the user can do: `add -lm`.
        advice: String,
        /// How many other undefined symbols the library defines without their messages saying so.
        others: usize,
    },
    /// The reason that follows from the name alone, as a whole line.
    Known(&'static str),
}

impl Hint {
    /// The lines to append, each after a line feed; `undefined` is the symbol's printed name.
    pub fn render(&self, undefined: &str) -> String {
        match self {
            Hint::Similar { name, defined_in } => {
                format!("\n>>> did you mean: {name}\n>>> defined in: {defined_in}")
            }
            Hint::DefinedInC { name, defined_in } => {
                format!("\n>>> did you mean: extern \"C\" {name}\n>>> defined in: {defined_in}")
            }
            Hint::DefinedInCxx { name, defined_in } => format!(
                "\n>>> did you mean to declare {name} as extern \"C\"?\n>>> defined in: \
                 {defined_in}"
            ),
            Hint::KeyFunction => "\n>>> the vtable symbol may be undefined because the class is \
                                  missing its key function (see \
                                  https://lld.llvm.org/missingkeyfunction)"
                .to_owned(),
            Hint::OtherVersion { name, version, defined_in } => {
                let at = if version.is_empty() { "" } else { "@" };
                format!(
                    "\n>>> {defined_in} has {name}{at}{version}: the object was built with another \
                     version of the library, usually a newer one"
                )
            }
            Hint::OldVersion { name, version, defined_in } => format!(
                "\n>>> {defined_in} keeps {name}@{version} for programs that were linked long ago; \
                 new ones cannot use it: rebuild what refers to it"
            ),
            Hint::NoTypeInfo { defined_in } => format!(
                "\n>>> the class's virtual table is in {defined_in}, which was probably compiled \
                 with -fno-rtti"
            ),
            Hint::OtherString { name, defined_in } => format!(
                "\n>>> did you mean: {name}\n>>> defined in: {defined_in}\n>>> the two were \
                 compiled \
                 with different std::string: give both the same _GLIBCXX_USE_CXX11_ABI"
            ),
            Hint::NotLinked { library, advice, others } => {
                let mut text = format!("\n>>> defined in {library}, which is not linked; {advice}");
                if *others > 0 {
                    text += &format!("\n>>> {others} more undefined symbols are defined there");
                }
                text
            }
            Hint::Known(line) => format!("\n>>> {line}"),
            Hint::Local { defined_in } => format!(
                "\n>>> {undefined} is defined in {defined_in}, but local to that file (static)"
            ),
            Hint::Hidden { defined_in } => format!(
                "\n>>> {undefined} is defined in {defined_in}, but not exported (hidden, or local \
                 by a \
                 version script)"
            ),
        }
    }
}

/// Where one of several definitions of a symbol is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// In a section.
    At(Place),
    /// In a file, but in no section: an absolute or common symbol, an option, a script.
    In(String),
}

impl Definition {
    /// The line of a message that names the place.
    pub fn line(&self) -> String {
        match self {
            Definition::At(place) => format!("\n>>> defined at {}", place.lines(DEFINITION)),
            Definition::In(file_name) => format!("\n>>> defined in {file_name}"),
        }
    }
}

/// A symbol with more than one strong definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateReport {
    /// The symbol as it is to be printed.
    pub name: String,
    /// The definition that wins by its place on the command line.
    pub first: Definition,
    /// The definition in conflict with it.
    pub second: Definition,
    /// The probable reason of the conflict.
    pub hint: Option<String>,
}

impl DuplicateReport {
    /// The text of the message.
    pub fn render(&self) -> String {
        let hint = self.hint.as_ref().map_or(String::new(), |hint| format!("\n>>> {hint}"));
        format!("duplicate symbol: {}{}{}{hint}", self.name, self.first.line(), self.second.line())
    }
}

/// The symbol of a relocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelocationReferent {
    /// A symbol as it is to be printed.
    Symbol(String),
    /// A section, by its STT_SECTION symbol.
    Section(String),
}

/// A relocation whose value does not fit its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelocationOverflow {
    /// The field, and the code around it.
    pub place: Place,
    /// The psABI's name of the type.
    pub relocation: String,
    /// The value, which is out of range.
    pub value: i128,
    /// The least value that the field can hold.
    pub min: i128,
    /// The greatest value that the field can hold.
    pub max: i128,
    /// `None` for a symbol without a name.
    pub referent: Option<RelocationReferent>,
    /// The file that defines the symbol.
    pub defined_in: Option<String>,
    /// A suggestion on what to do.
    pub hint: Option<String>,
}

impl RelocationOverflow {
    /// The text of the message.
    pub fn render(&self) -> String {
        let RelocationOverflow { relocation, value, min, max, .. } = self;
        let location = self.place.location();
        let mut text = format!(
            "{location}: relocation {relocation} out of range: {value} is not in [{min}, {max}]"
        );
        match &self.referent {
            Some(RelocationReferent::Symbol(name)) => text += &format!("; references '{name}'"),
            Some(RelocationReferent::Section(name)) => {
                text += &format!("; references section '{name}'")
            }
            None => {}
        }
        if self.place.section.starts_with(".debug") {
            text += "; consider recompiling with -fdebug-types-section to reduce size of debug \
                     sections";
        }
        if let Some(source) = &self.place.source {
            text += &format!("\n>>> referenced by {source}");
        }
        if let Some(file_name) = &self.defined_in {
            text += &format!("\n>>> defined in {file_name}");
        }
        text += &self.excess();
        if let Some(hint) = &self.hint {
            text += &format!("\n>>> {hint}");
        }
        text
    }

    /// By how much the value is out of range: hopelessly, or a little.
    fn excess(&self) -> String {
        let (side, by) = if self.value > self.max {
            ("above the upper", self.value.abs_diff(self.max))
        } else {
            ("below the lower", self.min.abs_diff(self.value))
        };
        format!("\n>>> {by} (0x{by:x}) {side} limit")
    }
}

/// A relocation against a symbol whose section was dropped: another file owns the COMDAT group, or
/// the section has SHF_EXCLUDE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscardedReport {
    /// The symbol of the dropped section.
    pub referent: RelocationReferent,
    /// The file whose copy of the section was dropped.
    pub defined_in: String,
    /// Signature of the COMDAT group, and the file whose group was kept.
    pub group: Option<(String, String)>,
    /// The references that the message lists.
    pub references: Vec<Place>,
    /// How many references there are, listed or not.
    pub total_references: usize,
}

impl DiscardedReport {
    /// The text of the message.
    pub fn render(&self) -> String {
        let what = match &self.referent {
            RelocationReferent::Symbol(name) => format!("symbol in a discarded section: {name}"),
            RelocationReferent::Section(name) => format!("discarded section: {name}"),
        };
        let file_name = &self.defined_in;
        let mut text = format!("relocation refers to a {what}\n>>> defined in {file_name}");
        if let Some((signature, prevailing)) = &self.group {
            text += &format!(
                "\n>>> section group signature: {signature}\n>>> prevailing definition is in \
                 {prevailing}"
            );
        }
        push_references(&mut text, &self.references, self.total_references);
        text
    }
}

/// A name in a version script that nothing defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionUndefined {
    /// The script and the line, `FILE:LINE`.
    pub place: String,
    /// The version, or `global` or `local` in an anonymous script.
    pub version: String,
    /// The name in the script.
    pub name: String,
    /// A suggestion of what the user may have meant, if there is one.
    pub hint: Option<Hint>,
}

impl VersionUndefined {
    /// The text of the message.
    pub fn render(&self) -> String {
        let VersionUndefined { place, version, name, hint } = self;
        let hint = hint.as_ref().map_or(String::new(), |hint| hint.render(name));
        format!(
            "{place}: version script assignment of '{version}' to symbol '{name}' failed: symbol \
             not defined{hint}"
        )
    }
}

/// A shared library among the inputs refers to a symbol that nothing defines for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShlibUndefined {
    /// The symbol as it is to be printed.
    pub name: String,
    /// File name of the library that refers to it.
    pub library: String,
    /// The object that defines the symbol, but hidden from other modules.
    pub hidden_in: Option<String>,
    /// The version that the reference asks for, and the library that should have it.
    pub version: Option<(String, String)>,
    /// The version behind which a library hides the symbol, and that library.
    pub hidden_version: Option<(String, String)>,
    /// A suggestion of what the user may have meant, if there is one.
    pub hint: Option<Hint>,
}

impl ShlibUndefined {
    /// The text of the message.
    pub fn render(&self) -> String {
        let ShlibUndefined { name, library, hidden_in, .. } = self;
        let mut text = format!("{library}: --no-allow-shlib-undefined: undefined symbol: {name}");
        if let Some((version, file)) = &self.version {
            text += &format!(
                "@{version}\n>>> {library} was linked with a {file} that has version {version}, \
                 probably a newer one"
            );
        }
        if let Some(hint) = &self.hint {
            text += &hint.render(name);
        } else if let Some((version, file)) = &self.hidden_version {
            text += &format!(
                "\n>>> {file} has it as {name}@{version}, for programs that ask for this version"
            );
        } else if self.version.is_none() && hidden_in.is_none() {
            text += &format!(
                "\n>>> {library} needs a library that it does not name: link {library} with that, \
                 or \
                 add it here"
            );
        }
        if let Some(file_name) = hidden_in {
            text += &format!("\n>>> defined in {file_name}, but hidden or local there");
        }
        text
    }
}

/// An input that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadInput {
    /// The file on the command line, or of an option.
    pub file: String,
    /// Name of the member, if the file is an archive.
    pub member: Option<String>,
    /// The error, with the offset or index if it is known.
    pub what: String,
}

impl BadInput {
    /// The text of the message.
    pub fn render(&self) -> String {
        let BadInput { file, member, what } = self;
        match member {
            Some(member) => format!("{file}({member}): {what}"),
            None => format!("{file}: {what}"),
        }
    }
}

#[cfg(test)]
mod tests;
