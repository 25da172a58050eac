//! Reads the files that extraction takes.

use super::libraries_in_archives;
use crate::lto::plugins::{self, ClaimableObjects, Intermediate, Plugins};
use crate::read::candidates::Candidates;
use crate::read::object_file::ReadRules;
use crate::read::{FileId, ObjectFile, identify};
use skald_core::diag::Diag;
use skald_core::input::InputBytes;
use skald_core::par::prelude::*;
use skald_core::time::Timer;
use std::sync::Mutex;

/// Objects that are read in one round.
pub type NumberedObjects = Vec<NumberedObject>;
/// An object, and its file's position on the command line.
pub type NumberedObject = (FileId, Box<ObjectFile>);

/// How files are read, and where their errors go.
pub struct Parsing<'a> {
    /// Options that matter when objects are read.
    pub rules: ReadRules<'a>,
    timer: &'a Timer,
    /// Receives errors of files that cannot be read.
    pub diag: &'a Diag,
    /// Archive members that are shared objects, which cannot be linked from there.
    unfit: Mutex<Vec<FileId>>,
    /// The plugins that claim files of intermediate code.
    plugins: &'a Mutex<Plugins>,
    /// Which objects the plugins may claim.
    wants: ClaimableObjects,
}

/// The result of reading a file.
pub enum Parsed {
    /// An object, which is linked as it is.
    Object(NumberedObject),
    /// A file that a plugin may claim. If none does, it is this object, if it is one.
    Intermediate(FileId, Intermediate, Option<Box<ObjectFile>>),
    /// Nothing: the error has been reported.
    Nothing,
}

impl<'a> Parsing<'a> {
    /// Reads by `rules`; nothing has been read yet.
    pub fn new(
        rules: ReadRules<'a>,
        timer: &'a Timer,
        diag: &'a Diag,
        plugins: &'a Mutex<Plugins>,
    ) -> Parsing<'a> {
        let wants = plugins.lock().expect("no task panics").wants();
        Parsing { rules, timer, diag, unfit: Mutex::default(), plugins, wants }
    }

    /// Members that proved to be shared objects since the last call.
    pub fn take_unfit(&mut self) -> Vec<FileId> {
        std::mem::take(self.unfit.get_mut().expect("no task panics"))
    }

    /// Reads `files`; those that cannot be read are reported and left out. `is_used`: the files
    /// will be linked.
    pub fn all(&self, candidates: &Candidates, files: &[FileId], is_used: bool) -> NumberedObjects {
        self.claim(candidates, self.read(candidates, files), is_used)
    }

    /// Reads `files`. Those that plugins may claim are not offered yet.
    pub fn read(&self, candidates: &Candidates, files: &[FileId]) -> Vec<Parsed> {
        // Members that take each other in a chain make rounds of one file: handing that to a thread
        // would cost more.
        if let &[file] = files {
            return vec![self.one(candidates, file)];
        }
        let one = |&file: &FileId| self.one(candidates, file);
        files.par_iter().with_max_len(2).map(one).collect()
    }

    /// The objects of files that have been read; plugins are offered what they may claim, in this
    /// order.
    pub fn claim(
        &self,
        candidates: &Candidates,
        parsed: Vec<Parsed>,
        is_used: bool,
    ) -> NumberedObjects {
        self.offer(candidates, &parsed, is_used);
        let object = |parsed: Parsed| match parsed {
            Parsed::Object(object) => Some(object),
            Parsed::Intermediate(file, _, own) => self.claimed(candidates, file, own),
            Parsed::Nothing => None,
        };
        parsed.into_iter().filter_map(object).collect()
    }

    fn refuse(&self, candidates: &Candidates, file: FileId, text: &str) {
        let name = candidates.display_name(file);
        self.diag.error((u64::from(file.number()), 0), format!("{name}: {text}"));
    }

    /// Offers the plugins what they may claim.
    fn offer(&self, candidates: &Candidates, parsed: &[Parsed], is_used: bool) {
        let offered = parsed.iter().filter_map(|parsed| match parsed {
            &Parsed::Intermediate(file, held, _) => Some((file, held)),
            _ => None,
        });
        let offered: Vec<_> = offered
            .filter_map(|(file, held)| match candidates.input(file) {
                Ok(input) => Some((file, input, held)),
                Err(error) => {
                    self.refuse(candidates, file, &error.0);
                    None
                }
            })
            .collect();
        if offered.is_empty() {
            return;
        }
        let mut plugins = self.plugins.lock().expect("no task panics");
        for (file, text) in plugins.offer(&offered, is_used, self.diag) {
            self.refuse(candidates, file, &text);
        }
    }

    /// Reads a file as it would be linked, only to look at it: `None`, without a message, if it
    /// cannot be read.
    pub fn look_at(&self, candidates: &Candidates, file: FileId) -> Option<Box<ObjectFile>> {
        let input = candidates.input(file).ok()?;
        let parsed = ObjectFile::parse(input, self.rules).ok().map(Box::new);
        let held = match &parsed {
            Some(object) => self.wants.want(object),
            None => Some(Intermediate::of_bytes(input.bytes)).filter(|held| held.llvm),
        };
        let plugins = || self.plugins.lock().expect("no task panics");
        let Some(held) = held.filter(|&held| plugins().may_claim(held)) else { return parsed };
        self.offer(candidates, &[Parsed::Intermediate(file, held, None)], false);
        let is_claimed = plugins().claim_of(file).is_some();
        if is_claimed {
            self.claimed(candidates, file, None).map(|(_, object)| object)
        } else {
            parsed
        }
    }

    /// The stand-in for a file that a plugin has claimed, or the object that the file itself is.
    fn claimed(
        &self,
        candidates: &Candidates,
        file: FileId,
        own: Option<Box<ObjectFile>>,
    ) -> Option<NumberedObject> {
        let plugins = self.plugins.lock().expect("no task panics");
        let Some(claim) = plugins.claim_of(file) else {
            if own.is_none() && !self.diag.has_failed() {
                self.refuse(candidates, file, plugins::UNCLAIMED);
            }
            return Some((file, own?));
        };
        let input = InputBytes { bytes: claim.stand_in, file: None, content: None };
        match ObjectFile::parse(input, self.rules) {
            Ok(mut object) => {
                object.file = Some(file);
                Some((file, Box::new(object)))
            }
            Err(error) => {
                self.refuse(candidates, file, &error.0);
                None
            }
        }
    }

    fn one(&self, candidates: &Candidates, file: FileId) -> Parsed {
        let _event = self.timer.event("parse", || candidates.display_name(file));
        let parsed = candidates.input(file).and_then(|input| {
            identify::check_object(self.rules.linked_for(), input.bytes)?;
            ObjectFile::parse(input, self.rules).map(Box::new)
        });
        match parsed {
            Ok(mut object) => {
                object.file = Some(file);
                if let Some(queue) = &candidates.release_early {
                    object.release_headers(queue);
                }
                let held = self.wants.want(&object);
                if let Some(held) = held.filter(|_| !candidates.is_of_linker(file)) {
                    return Parsed::Intermediate(file, held, Some(object));
                }
                Parsed::Object((file, object))
            }
            Err(error) => {
                let held = candidates.input(file).map(|input| Intermediate::of_bytes(input.bytes));
                if let Some(held) = held.ok().filter(|held| held.llvm) {
                    return Parsed::Intermediate(file, held, None);
                }
                if candidates.is_lazy_member(file)
                    && libraries_in_archives::is_library(self.rules.machine, candidates, file)
                {
                    self.unfit.lock().expect("no task panics").push(file);
                    return Parsed::Nothing;
                }
                let name = candidates.display_name(file);
                self.diag.error((u64::from(file.number()), 0), format!("{name}: {error}"));
                Parsed::Nothing
            }
        }
    }
}
