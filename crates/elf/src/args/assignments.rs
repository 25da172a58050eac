//! Files and texts that options name, read and parsed: version scripts, dynamic lists, `--defsym`.

use super::dynamic_list::DynamicList;
use super::options::{GivenSymbol, Options};
use super::version_script::VersionScript;
use skald_core::diag::{Diag, Result, WHOLE_LINK};
use skald_core::input;
use skald_linking::expr::Expr;
use skald_linking::ids::FileId;
use std::path::{Path, PathBuf};

/// `NAME = EXPRESSION` of the command line or of a script.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The symbol that is defined.
    pub name: Vec<u8>,
    /// Evaluated when addresses are known.
    pub expr: Expr,
    /// `PROVIDE`: only if a file refers to the symbol and none defines it.
    pub provide: bool,
    /// `HIDDEN`: the symbol has STV_HIDDEN.
    pub hidden: bool,
    /// It takes effect for any inputs: it is in no output section that might not be made.
    pub is_certain: bool,
    /// Something before it asks for the name. If its value is not found while files are read, a
    /// definition is searched for, as in GNU ld, and the assignment then replaces that definition.
    /// A `PROVIDE` takes effect in this case, even if the linker itself would define the symbol for
    /// objects.
    pub is_late: bool,
    /// The next file behind it, if it is an option of the command line.
    pub option_before: Option<FileId>,
}

fn read(path: &Path) -> Result<&'static [u8]> {
    Ok(input::open_text(path)?.data)
}

/// Path of a script or dynamic list: the path as given if it exists, otherwise the file in a
/// library directory, as in GNU ld.
pub fn find_script(options: &Options, path: &Path) -> PathBuf {
    if path.exists() || path.is_absolute() {
        return path.to_owned();
    }
    let found = options.library_paths.iter().map(|dir| dir.join(path)).find(|p| p.is_file());
    found.unwrap_or_else(|| path.to_owned())
}

/// Joins all `--version-script` files; errors go to `diag`.
pub fn version_script(options: &Options, extra: Vec<VersionScript>, diag: &Diag) -> VersionScript {
    let mut scripts = Vec::new();
    for (at, path) in (0..).zip(&options.version_scripts) {
        let parsed = read(&find_script(options, path))
            .and_then(|text| VersionScript::parse(&path.display().to_string(), text));
        match parsed {
            Ok(script) => scripts.push(script),
            Err(error) => diag.error((0, at), error.0),
        }
    }
    scripts.extend(extra);
    match scripts.len() {
        0 => return VersionScript::default(),
        1 => return scripts.remove(0),
        _ => {}
    }
    VersionScript::join(scripts).unwrap_or_else(|error| {
        diag.error(WHOLE_LINK, error.0);
        VersionScript::default()
    })
}

/// The dynamic list (`None` without one), and the list of names to export.
pub fn export_lists(options: &Options, diag: &Diag) -> (Option<DynamicList>, DynamicList) {
    let mut binding = DynamicList::default();
    let mut export = DynamicList::default();
    let mut has_binding = false;
    for (at, file) in (0..).zip(&options.dynamic_lists) {
        let list = if file.binds_others { &mut binding } else { &mut export };
        has_binding |= file.binds_others;
        let added = read(&find_script(options, &file.path))
            .and_then(|text| list.add_file(&file.path.display().to_string(), text));
        if let Err(error) = added {
            diag.error((1, at), error.0);
        }
    }
    for pattern in &options.export_dynamic_symbols {
        export.add_pattern(pattern.as_bytes());
    }
    if options.dynamic_list_cpp_new {
        has_binding = true;
        binding.add_cxx_new();
    }
    has_binding |= options.dynamic_list_data;
    if options.dynamic_list_cpp_typeinfo {
        has_binding = true;
        binding.add_cxx_typeinfo();
    }
    (has_binding.then_some(binding), export)
}

/// Each `--defsym`, parsed.
pub fn defsyms(options: &Options, diag: &Diag) -> Vec<(GivenSymbol, Expr)> {
    let mut parsed = Vec::new();
    for (at, given) in (0..).zip(&options.defsym) {
        match Expr::parse_text("--defsym", given.expression.as_bytes()) {
            Ok(expr) => parsed.push((given.clone(), expr)),
            Err(error) => diag.error((2, at), error.0),
        }
    }
    parsed
}

/// Lines of a `--retain-symbols-file`.
pub fn retained_symbols(
    options: &Options,
    diag: &Diag,
) -> Option<skald_core::unordered::UnorderedSet<Vec<u8>>> {
    let path = options.retain_symbols_file.as_ref()?;
    match read(path) {
        Ok(text) => {
            let words = text.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
            Some(words.map(<[u8]>::to_vec).collect())
        }
        Err(error) => {
            diag.error((3, 0), error.0);
            None
        }
    }
}
