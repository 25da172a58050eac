//! Links with damaged inputs: no input crashes the linker, and exit status 0 means a complete
//! output.
//!
//! [`seeds`] makes small correct links: objects of many kinds, archives, shared objects, scripts,
//! lists. [`damage`] lists damages of one of their files, structure by structure ([`elf`]) or byte
//! by byte ([`bytes`]); the list and its order are always the same. [`run`] links once for each
//! damage, with limits on time and memory, and reports wrong results. The link may end with status
//! 1 and a message that names the file, and leave the old output unchanged. Or the damage has no
//! effect, and the link makes a complete file. [`walk`] tries combinations that no list has:
//! several damages at once, of several files, with all kinds of options.

pub mod bytes;
pub mod elf;
pub mod options;
pub mod run;
pub mod seeds;
pub mod walk;

/// A way to damage a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What is damaged, for reports.
    pub what: String,
    /// The changes, in order.
    pub edits: Vec<Edit>,
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Writes bytes at an offset.
    Write(usize, Vec<u8>),
    /// Cuts the file to a length.
    Truncate(usize),
    /// Replaces the whole file.
    Replace(Vec<u8>),
}

impl Damage {
    fn write(what: String, at: usize, bytes: &[u8]) -> Damage {
        Damage { what, edits: vec![Edit::Write(at, bytes.to_vec())] }
    }

    fn truncate(at: usize) -> Damage {
        Damage { what: format!("cut at {at:#x}"), edits: vec![Edit::Truncate(at)] }
    }

    /// The bytes of the file after the damage.
    pub fn apply(&self, whole: &[u8]) -> Vec<u8> {
        let mut bytes = whole.to_vec();
        for edit in &self.edits {
            match edit {
                Edit::Write(at, new) => {
                    let end = (at + new.len()).min(bytes.len());
                    if let Some(place) = bytes.get_mut(*at..end) {
                        place.copy_from_slice(&new[..place.len()]);
                    }
                }
                Edit::Truncate(at) => bytes.truncate(*at),
                Edit::Replace(new) => bytes.clone_from(new),
            }
        }
        bytes
    }
}

/// All damages that are tried on a file, by its kind.
pub fn damage(whole: &[u8]) -> Vec<Damage> {
    let mut all = if whole.starts_with(b"\x7fELF") {
        elf::damage(whole)
    } else if whole.starts_with(b"!<") {
        bytes::archive_damage(whole)
    } else {
        bytes::text_damage(whole)
    };
    all.extend(bytes::any_damage(whole));
    let pairs = bytes::pairs(&all);
    all.extend(pairs);
    all
}

/// A sequence of random numbers that is the same on each run (xorshift64*).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The sequence that starts from `seed`.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number, below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (drawn as usize).checked_rem(limit).unwrap_or(0)
    }
}
