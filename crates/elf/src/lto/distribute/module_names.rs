//! The names of modules: paths of files that contain nothing but the module.

use crate::lto::producer::bitcode_of;
use skald_core::input::InputBytes;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::first_bytes;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The names that inputs have been given so far.
#[derive(Default)]
pub struct Naming {
    /// The directory for modules that are not alone in a file.
    directory: PathBuf,
    /// The directory that relative paths are relative to, without symbolic links.
    here: Option<PathBuf>,
    names: UnorderedSet<String>,
    /// By file name, the number for the next module from a file of that name: there may be
    /// thousands.
    next: UnorderedMap<String, u32>,
    /// By path, the names of files that hold more than one module.
    of_files: UnorderedMap<PathBuf, String>,
    /// The named inputs, by name and offset in the file.
    given: UnorderedMap<(String, u64), Given>,
}

#[derive(Clone, Copy)]
struct Given {
    input: InputBytes,
    is_alone: bool,
}

/// A module that is linked.
pub struct Module {
    /// The path of the module in the index.
    pub name: String,
    given: Given,
    bitcode: &'static [u8],
}

impl Naming {
    /// Sets the directory for modules.
    pub fn start(&mut self, directory: &Path) {
        self.directory = directory.to_owned();
        self.here = fs::canonicalize(".").ok();
    }

    /// The name of an input. A plugin appends the offset of a member in an archive and the name of
    /// its source.
    pub fn name_of(&mut self, input: &InputBytes) -> Vec<u8> {
        let Some(file) = &input.file else { return Vec::new() };
        let offset = input.bytes.as_ptr() as usize - file.data.as_ptr() as usize;
        let is_alone =
            input.bytes.len() == file.data.len() && first_bytes::are_bitcode(input.bytes);
        let own = is_alone.then(|| self.path_of(file.path)).flatten();
        // A file that is named twice counts as two modules.
        let own = own.filter(|name| self.names.insert(name.clone()));
        let is_alone = own.is_some();
        let name = own.unwrap_or_else(|| match offset {
            0 => self.extracted(file.path),
            _ => match self.of_files.get(file.path) {
                Some(name) => name.clone(),
                None => self.extracted(file.path),
            },
        });
        self.given.insert((name.clone(), offset as u64), Given { input: *input, is_alone });
        name.into_bytes()
    }

    /// The path relative to the working directory, for a file below it: it is the same wherever the
    /// link is made.
    fn path_of(&self, path: &Path) -> Option<String> {
        below(path, self.here.as_deref()?)
    }

    /// A name in the directory, for a module in a file that holds more.
    fn extracted(&mut self, path: &Path) -> String {
        let base = ascii(&path.file_name().unwrap_or_default().to_string_lossy());
        let next = self.next.entry(base.clone()).or_default();
        let name = loop {
            let name = if *next == 0 { base.clone() } else { format!("{next}.{base}") };
            *next += 1;
            let name = self.directory.join(name).to_string_lossy().into_owned();
            if self.names.insert(name.clone()) {
                break name;
            }
        };
        self.of_files.insert(path.to_owned(), name.clone());
        name
    }

    /// The modules that a plugin has listed, in the order of the list.
    ///
    /// # Errors
    /// A message if a listed module is unknown.
    pub fn modules(&self, list: &str) -> Result<Vec<Module>, String> {
        let prefix = format!("{}/", self.directory.display());
        let module = |line: &str| {
            let name = line.strip_prefix(&prefix).unwrap_or(line);
            let given = self.find(name).ok_or_else(|| format!("{name}: an unknown module"))?;
            Ok(Module { name: name.to_owned(), given, bitcode: bitcode_of(given.input) })
        };
        list.lines().map(module).collect()
    }

    fn find(&self, name: &str) -> Option<Given> {
        if let Some(given) = self.given.get(&(name.to_owned(), 0)) {
            return Some(*given);
        }
        let mut ends = name.match_indices(".llvm.");
        ends.find_map(|(end, separator)| {
            let offset = name[end + separator.len()..].split('.').next()?.parse().ok()?;
            self.given.get(&(name[..end].to_owned(), offset)).copied()
        })
    }
}

impl Module {
    /// Contents of the module's file.
    pub fn bitcode(&self) -> &'static [u8] {
        self.bitcode
    }

    /// Writes the module to its path, unless it is an input file of its own.
    ///
    /// # Errors
    /// A message if that fails.
    pub fn extract(&self) -> Result<(), String> {
        if self.given.is_alone {
            return Ok(());
        }
        fs::write(&self.name, self.bitcode).map_err(|error| format!("{}: {error}", self.name))
    }
}

/// The path relative to the directory `here`, for a file below it. LLVM's index garbles characters
/// that are not ASCII.
fn below(path: &Path, here: &Path) -> Option<String> {
    let goes_down = path.components().all(|part| matches!(part, Component::Normal(_)));
    let path = if goes_down {
        path.to_owned()
    } else {
        fs::canonicalize(path).ok()?.strip_prefix(here).ok()?.to_owned()
    };
    path.to_str().filter(|path| path.is_ascii()).map(str::to_owned)
}

fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect()
}

/// Prefixes for the paths of module directories, in order of preference: beside the output if that
/// is below the working directory, in the working directory, and beside the output wherever it is.
pub fn prefixes(output: &Path) -> Vec<OsString> {
    let name = ascii(&output.file_name().unwrap_or_default().to_string_lossy());
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let here = fs::canonicalize(".").ok();
    let beside = match (parent, here) {
        (Some(parent), Some(here)) => below(parent, &here).map(|parent| format!("{parent}/{name}")),
        _ => Some(name.clone()),
    };
    let names = beside.into_iter().chain([name]).map(|name| OsString::from(name + ".lto-"));
    let mut last = OsString::from(output);
    last.push(".lto-");
    names.chain([last]).collect()
}

/// The path that the plugin writes for a module below a directory: it prepends the directory to the
/// name unchanged.
pub fn within(directory: &Path, name: &str) -> PathBuf {
    PathBuf::from(format!("{}/{name}", directory.display()))
}
