//! The options that depend on the machine. Without `-m` the machine is known only after the first
//! file is read, so these are set a second time then.

use super::draft::unknown_keyword;
use super::options::{Discard, HashStyle, MachineFrom, Options, SeparateCode};
use super::processors::{PlatformTypes, Target2};
use super::settle::{below_root, below_sysroot};
use crate::machine::Machine;
use std::path::{Path, PathBuf};

/// The words of the command line that depend on the machine.
#[derive(Debug, Clone, Default)]
pub struct MachineWords {
    /// The name of the machine that `-m` gives, if it does.
    pub emulation: Option<&'static str>,
    /// Libraries are searched for in the machine's directories, too: neither `-Y` nor `-nostdlib`
    /// was given.
    pub standard_directories: bool,
    /// How many of [`Options::library_paths`] were given.
    pub given_directories: usize,
    /// Words of `-z` that not every machine has: the name of the row, and the word as typed.
    pub keywords: Vec<(&'static str, String)>,
    /// Options that only some machine has, and for which nothing is done yet.
    pub unmade: Vec<&'static str>,
}

impl Options {
    /// Sets the machine of the link; `from` is where it was found. Returns warnings about words of
    /// `-z` for other machines, which have no effect because this machine does not have the
    /// feature.
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
        if self.processors.kept_code.is_any() && machine.keywords.contains(&"--no-toc-optimize") {
            self.no_relax = true;
        }
        let lacking = words.keywords.iter().filter(|(name, _)| machine.lacks_keyword(name));
        lacking.map(|(_, typed)| unknown_keyword(typed)).collect()
    }

    /// What types mean whose meaning the platform decides. Compilers for systems name the machine;
    /// those for programs without a system name none, and what unwinds stacks there has no GOT.
    pub fn platform_types(&self, is_dynamic: bool) -> PlatformTypes {
        let has_system = is_dynamic || self.machine_from == MachineFrom::Option;
        let usual = if has_system { Target2::GotRelative } else { Target2::Relative };
        let target2 = self.processors.target2.unwrap_or(usual);
        PlatformTypes { target1_is_relative: self.processors.target1_is_relative, target2 }
    }

    /// The hash tables that the output gets. The order of `.dynsym` is that of the GOT where the
    /// loader fills it by that, and cannot be that of `.gnu.hash`.
    pub fn hash_tables(&self) -> HashStyle {
        let HashStyle { sysv, gnu } = self.hash_style;
        match self.machine.listed_got {
            Some(_) => HashStyle { sysv: sysv || gnu, gnu: false },
            None => HashStyle { sysv, gnu },
        }
    }

    /// Whether the loader cannot write to `.dynamic`.
    pub fn has_read_only_dynamic(&self) -> bool {
        self.z.rodynamic || self.machine.listed_got.is_some()
    }

    /// Which local symbols `.symtab` leaves out, by options or as the machine's programs have them.
    /// Relocations that the output keeps may refer to any label.
    pub fn discarded_symbols(&self) -> Discard {
        match self.discard {
            Discard::Default if self.machine.drops_labels && !self.emit_relocs => Discard::Locals,
            discard => discard,
        }
    }

    /// The layout of the machine's own for programs without a script, if it has one.
    pub fn own_layout(&self) -> Option<String> {
        let script = self.machine.own_layout?;
        Some(script(self.machine_words.emulation.unwrap_or(self.machine.emulation)))
    }

    /// Whether a program header says what a system shall do with the stack.
    pub fn has_stack_header(&self) -> bool {
        !self.z.no_gnu_stack && self.machine.has_loader()
    }

    /// How segments are kept apart, by options or as the machine's programs have them.
    pub fn separate_code(&self) -> SeparateCode {
        let usual =
            if self.machine.separate_code { SeparateCode::Code } else { SeparateCode::None };
        self.z.separate.unwrap_or(usual)
    }

    /// Whether read-only data has a segment of its own. Where code is not kept apart by default, it
    /// shares that of code, as in GNU ld.
    pub fn has_rosegment(&self) -> bool {
        self.rosegment.unwrap_or_else(|| {
            self.machine.separate_code
                || self.arrangement.execute_only
                || self.separate_code() != SeparateCode::None
        })
    }

    /// `-z common-page-size`, or the machine's.
    pub fn common_page_size(&self) -> u64 {
        self.z.common_page_size.unwrap_or(self.machine.common_page_size)
    }
}
