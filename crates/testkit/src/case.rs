//! A test case: one file of sources and `//#` directives, parsed.
//!
//! The text before the first `//# file:` is the file `main.EXT` with the extension of the case,
//! unless it has no code; each `//# file: NAME` starts another. Directive lines are left empty in
//! the sources, so that a file of the case keeps its line numbers from the start of its part.

use crate::machine::{self, Machine};
use crate::{Result, words};
use std::path::{Path, PathBuf};

/// A file of a case: a source, a script, a list.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// Name in the case's work directory.
    pub name: String,
    /// Compiler options: the words behind the name.
    pub compile_options: Vec<String>,
    /// The lines of the case up to the next file.
    pub text: String,
}

impl CaseFile {
    /// Whether it is compiled to an object file (and is not a script, list or header).
    pub fn is_source(&self) -> bool {
        matches!(self.extension(), "c" | "cc" | "s" | "S" | "rs" | "yaml")
    }

    /// The part of the name behind the last dot.
    pub fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Name of the object file made from it.
    pub fn object_name(&self) -> String {
        let stem = self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem);
        format!("{stem}.o")
    }
}

/// A line `//# name: text` of a case.
#[derive(Debug, Clone)]
pub struct Directive {
    /// 1-based line in the case file.
    pub line: usize,
    /// Variants in which the directive counts; empty for all.
    pub only: Vec<String>,
    /// The word before the colon.
    pub name: String,
    /// The text behind the colon, trimmed.
    pub text: String,
}

impl Directive {
    /// The text as words.
    pub fn words(&self) -> Result<Vec<String>> {
        words::split(&self.text)
    }

    /// Whether the directive applies to `variant`.
    pub fn applies_to(&self, variant: &Variant) -> bool {
        self.only.is_empty() || self.only.contains(&variant.name)
    }
}

/// One way to run a case: options added to the last link and to all compilations.
#[derive(Debug, Clone, Default)]
pub struct Variant {
    /// Empty for the only variant of a case without variants.
    pub name: String,
    /// Added to the last link.
    pub link_options: Vec<String>,
    /// Added to every C, C++ and assembler compilation.
    pub compile_options: Vec<String>,
}

/// A parsed case.
#[derive(Debug, Clone)]
pub struct Case {
    /// `area/name`, without the extension.
    pub name: String,
    /// Extension of the case file.
    pub extension: String,
    /// Directory that holds the case file and its side files.
    pub directory: PathBuf,
    /// The files, in the order of the case.
    pub files: Vec<CaseFile>,
    /// Directives in order, without `file` and `variant`.
    pub directives: Vec<Directive>,
    /// The ways to run the case; one without name if none is stated.
    pub variants: Vec<Variant>,
    /// The machine that it is run for.
    pub machine: &'static Machine,
    /// Whether the case names no machine, so that it may be run for any ([`crate::generic`]).
    pub is_generic: bool,
}

impl Case {
    /// Reads the case at `path`, which lies under `root`.
    pub fn read(root: &Path, path: &Path) -> Result<Case> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(root).unwrap_or(path).with_extension("");
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let directory = path.parent().unwrap_or(Path::new(".")).to_owned();
        let mut case = Case::parse(&relative.to_string_lossy(), extension, &text)
            .map_err(|e| format!("{}:{e}", path.display()))?;
        case.directory = std::path::absolute(directory).map_err(|e| e.to_string())?;
        Ok(case)
    }

    /// Parses `text`; an error starts with the line.
    pub fn parse(name: &str, extension: &str, text: &str) -> Result<Case> {
        let mut case = Case {
            name: name.to_owned(),
            extension: extension.to_owned(),
            directory: PathBuf::new(),
            files: Vec::new(),
            directives: Vec::new(),
            variants: Vec::new(),
            machine: machine::native(),
            is_generic: false,
        };
        let mut file = CaseFile {
            name: format!("main.{extension}"),
            compile_options: Vec::new(),
            text: String::new(),
        };
        for (index, line) in text.lines().enumerate() {
            let Some(directive) = line.strip_prefix("//#") else {
                file.text.push_str(line);
                file.text.push('\n');
                continue;
            };
            let directive = parse_directive(index + 1, directive)?;
            let at_line = |e| format!("{}: {e}", index + 1);
            match directive.name.as_str() {
                "file" => {
                    let mut words = directive.words().map_err(at_line)?.into_iter();
                    let name = words.next().ok_or_else(|| at_line("file without a name".into()))?;
                    let next =
                        CaseFile { name, compile_options: words.collect(), text: String::new() };
                    case.push_file(std::mem::replace(&mut file, next));
                }
                "variant" => {
                    case.variants.push(parse_variant(&directive.text).map_err(at_line)?);
                    file.text.push('\n');
                }
                _ => {
                    case.directives.push(directive);
                    file.text.push('\n');
                }
            }
        }
        case.push_file(file);
        if case.variants.is_empty() {
            case.variants.push(Variant::default());
        }
        case.check_variant_names()?;
        case.find_machine()?;
        Ok(case)
    }

    /// The machine that a directive names, or the folder.
    fn find_machine(&mut self) -> Result<()> {
        let named = self.directives.iter().find(|directive| directive.name == "machine");
        let machine = match named {
            Some(directive) => {
                let known = machine::named(&directive.text);
                Some(known.map_err(|e| format!("{}: {e}", directive.line))?)
            }
            None => self.name.split_once('/').and_then(|(area, _)| machine::find(area)),
        };
        self.is_generic = machine.is_none();
        self.machine = machine.unwrap_or(machine::native());
        Ok(())
    }

    /// Name of the case in `variant`, for messages.
    pub fn name_in(&self, variant: &Variant) -> String {
        match variant.name.as_str() {
            "" => self.name.clone(),
            variant => format!("{}.{variant}", self.name),
        }
    }

    /// The directives called `name` that count in `variant`.
    pub fn directives_for<'a>(
        &'a self,
        variant: &'a Variant,
        name: &'a str,
    ) -> impl Iterator<Item = &'a Directive> {
        self.directives.iter().filter(move |d| d.name == name && d.applies_to(variant))
    }

    fn push_file(&mut self, file: CaseFile) {
        let is_comment =
            |line: &str| line.trim().is_empty() || line.starts_with("//") || line.starts_with("# ");
        if self.files.is_empty()
            && file.name.starts_with("main.")
            && file.text.lines().all(is_comment)
        {
            return;
        }
        self.files.push(file);
    }

    fn check_variant_names(&self) -> Result<()> {
        for directive in &self.directives {
            for only in &directive.only {
                if !self.variants.iter().any(|v| v.name == *only) {
                    return Err(format!("{}: no variant is called {only}", directive.line));
                }
            }
        }
        Ok(())
    }
}

/// Parses what follows `//#`: `[@variant[,variant]] name[: text]`.
fn parse_directive(line: usize, text: &str) -> Result<Directive> {
    let mut text = text.trim();
    let mut only = Vec::new();
    if let Some(rest) = text.strip_prefix('@') {
        let (variants, rest) =
            rest.split_once(' ').ok_or_else(|| format!("{line}: nothing after @variant"))?;
        only = variants.split(',').map(str::to_owned).collect();
        text = rest.trim();
    }
    let (name, text) = text.split_once(':').unwrap_or((text, ""));
    if name.is_empty()
        || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    {
        return Err(format!("{line}: not a directive: {name}"));
    }
    Ok(Directive { line, only, name: name.to_owned(), text: text.trim().to_owned() })
}

/// Parses `name: link options | compile options`.
fn parse_variant(text: &str) -> Result<Variant> {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let (link, compile) = options.split_once('|').unwrap_or((options, ""));
    Ok(Variant {
        name: name.trim().to_owned(),
        link_options: words::split(link)?,
        compile_options: words::split(compile)?,
    })
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn files_variants_and_directives() {
        let text = "// why\n//# variant: a: -pie | -fPIE\n//# @a run: exit=1\n//# file: b.c \
            -O2\nint x;\n//# file: v.map\nV {};\n";
        let case = Case::parse("area/x", "c", text).unwrap();
        assert_eq!(case.files.len(), 2, "a header of comments is no file");
        assert_eq!(case.files[0].object_name(), "b.o");
        assert_eq!(case.files[0].compile_options, ["-O2"]);
        assert!(!case.files[1].is_source());
        assert_eq!(case.variants[0].compile_options, ["-fPIE"]);
        assert_eq!(case.directives[0].only, ["a"]);
        assert!(Case::parse("x", "c", "//# @b run\n").is_err(), "unknown variant");
    }

    #[test]
    fn machines_are_named_or_that_of_the_folder() {
        let of = |name: &str, text: &str| {
            let case = Case::parse(name, "c", text).unwrap();
            (case.machine.word, case.is_generic)
        };
        assert_eq!(of("tls/x", ""), ("x86-64", true));
        assert_eq!(of("i386/x", ""), ("i386", false));
        assert_eq!(of("i386/x", "//# machine: aarch64\n"), ("aarch64", false));
        assert!(Case::parse("tls/x", "c", "//# machine: vax\n").unwrap_err().starts_with("1: "));
    }
}
