//! What of the options depends on the machine. Without `-m` it is only known once the first file is
//! seen, so this is set a second time then.

use super::draft::unknown_keyword;
use super::options::{MachineFrom, Options};
use super::settle::{below_root, below_sysroot};
use crate::machine::Machine;
use std::path::{Path, PathBuf};

/// What was typed that the machine has a say in.
#[derive(Debug, Clone, Default)]
pub struct MachineWords {
    /// Libraries are looked for in the machine's directories too: neither `-Y` nor `-nostdlib`.
    pub standard_directories: bool,
    /// How many of [`Options::library_paths`] were given.
    pub given_directories: usize,
    /// Words of `-z` that not every machine has: the name of the row, and as typed.
    pub keywords: Vec<(&'static str, String)>,
}

impl Options {
    /// Links for `machine`, which `from` says. Returns texts of warnings about words of `-z` for
    /// other machines; they have no effect: what they ask for, the machine has not.
    pub fn link_for(&mut self, machine: &'static Machine, from: MachineFrom) -> Vec<String> {
        self.machine = machine;
        self.machine_from = from;
        let words = &self.machine_words;
        self.library_paths.truncate(words.given_directories);
        if words.standard_directories {
            let (sysroot, root) = (self.sysroot.as_deref(), self.chroot.as_deref());
            let place = |path: &&str| -> PathBuf {
                let path = below_sysroot(Path::new(path), sysroot);
                root.map_or_else(|| path.clone(), |root| below_root(&path, root))
            };
            self.library_paths.extend(machine.library_paths.iter().map(place));
        }
        let lacking = words.keywords.iter().filter(|(name, _)| machine.lacks_keyword(name));
        lacking.map(|(_, typed)| unknown_keyword(typed)).collect()
    }
}
