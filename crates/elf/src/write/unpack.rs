//! Decompresses sections of inputs into the output.
//!
//! A small section is decompressed in one go. Of a large one each part needs a window, but a stream
//! can only be read from its start. So a reader stays where the last window ended, and the thread
//! that needs the next window continues with it. Windows in another order take longer and give the
//! same bytes; the parts of very large sections are therefore built in order
//! ([`super::parts::Part::continues`]).

use crate::format::compressed::{DecompressError, Reader};
use crate::read::Objects;
use crate::read::candidates::Candidates;
use crate::read::object_file::{InputSection, ObjectFile};
use crate::resolve::definitions::{Definitions, SectionId};
use skald_core::diag::Diag;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// Sections larger than this are decompressed by one thread at a time.
pub const IN_ORDER_MIN: u64 = 64 << 20;

/// Bytes that are decompressed at once on the way to the ones wanted.
const SKIPPED: usize = 64 << 10;

/// Decompressors, each at some position in its section, for the next window.
#[derive(Default)]
pub struct Unpacker {
    /// By section: readers that are not in use. A thread that wants bytes further on takes one.
    waiting: Mutex<BTreeMap<SectionId, Vec<Reader<'static>>>>,
    faults: Mutex<BTreeMap<SectionId, DecompressError>>,
}

impl Unpacker {
    /// Decompresses `out.len()` bytes from offset `start` of section `id` of `object` into `out`.
    pub fn copy(
        &self,
        object: &ObjectFile,
        id: SectionId,
        section: &InputSection,
        start: u64,
        out: &mut [u8],
    ) {
        if let Err(fault) = self.read(object, id, section, start, out) {
            out.fill(0);
            lock(&self.faults).entry(id).or_insert(fault);
        }
    }

    fn read(
        &self,
        object: &ObjectFile,
        id: SectionId,
        section: &InputSection,
        start: u64,
        out: &mut [u8],
    ) -> Result<(), DecompressError> {
        let mut reader = match self.nearest(id, start) {
            Some(reader) => reader,
            None => object.compressed(section).expect("is compressed").reader()?,
        };
        if reader.position() < start {
            let mut skipped = vec![0; SKIPPED];
            while reader.position() < start {
                let count = (start - reader.position()).min(SKIPPED as u64);
                reader.fill(&mut skipped[..count as usize])?;
            }
        }
        reader.fill(out)?;
        if reader.position() < section.size {
            lock(&self.waiting).entry(id).or_default().push(reader);
        }
        Ok(())
    }

    /// Takes the reader of `id` that has the fewest bytes to skip to reach `start`, if there is
    /// one.
    fn nearest(&self, id: SectionId, start: u64) -> Option<Reader<'static>> {
        let mut waiting = lock(&self.waiting);
        let readers = waiting.get_mut(&id)?;
        let before = readers.iter().enumerate().filter(|(_, reader)| reader.position() <= start);
        let (at, _) = before.max_by_key(|(_, reader)| reader.position())?;
        Some(readers.swap_remove(at))
    }

    /// Reports sections that could not be decompressed.
    pub fn report(
        &self,
        objects: &Objects,
        definitions: &Definitions,
        candidates: &Candidates,
        diag: &Diag,
    ) {
        for (&id, fault) in lock(&self.faults).iter() {
            let section = &definitions.sections[id];
            let object = &objects[section.object];
            let file = object.file.expect("numbered when taken");
            let name = String::from_utf8_lossy(object.section_name(section.shndx));
            let place = candidates.display_name(file);
            diag.error((u64::from(file.number()), 0), format!("{place}: section {name}: {fault}"));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}
