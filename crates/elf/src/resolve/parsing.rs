//! Reads the files that extraction takes.

use super::libraries_in_archives;
use crate::read::candidates::Candidates;
use crate::read::object_file::ReadRules;
use crate::read::{FileId, ObjectFile, identify};
use skald_core::diag::Diag;
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
}

impl<'a> Parsing<'a> {
    /// Reading as `rules` say, with nothing read yet.
    pub fn new(rules: ReadRules<'a>, timer: &'a Timer, diag: &'a Diag) -> Parsing<'a> {
        Parsing { rules, timer, diag, unfit: Mutex::default() }
    }

    /// Members that proved to be shared objects since the last call.
    pub fn take_unfit(&mut self) -> Vec<FileId> {
        std::mem::take(self.unfit.get_mut().expect("no task panics"))
    }

    /// Reads `files`; those that cannot be read are reported and left out.
    pub fn all(&self, candidates: &Candidates, files: &[FileId]) -> NumberedObjects {
        // A chain of members gives as many rounds of one file: to hand it to a thread would cost
        // more.
        if let &[file] = files {
            return self.one(candidates, file).into_iter().collect();
        }
        let parsed =
            files.par_iter().with_max_len(2).filter_map(|&file| self.one(candidates, file));
        parsed.collect()
    }

    fn one(&self, candidates: &Candidates, file: FileId) -> Option<NumberedObject> {
        let _event = self.timer.event("parse", || candidates.display_name(file));
        let parsed = candidates.input(file).and_then(|input| {
            identify::check_object(self.rules.target, input.bytes)?;
            ObjectFile::parse(input, self.rules).map(Box::new)
        });
        match parsed {
            Ok(mut object) => {
                object.file = Some(file);
                if let Some(queue) = &candidates.release_early {
                    object.release_headers(queue);
                }
                Some((file, object))
            }
            Err(error) => {
                if candidates.is_lazy_member(file)
                    && libraries_in_archives::is_library(self.rules.target, candidates, file)
                {
                    self.unfit.lock().expect("no task panics").push(file);
                    return None;
                }
                let name = candidates.display_name(file);
                self.diag.error((u64::from(file.number()), 0), format!("{name}: {error}"));
                None
            }
        }
    }
}
