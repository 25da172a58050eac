//! Links for the machine of `loops/toy`: tests write the objects here and read the output.

mod deletions;
mod object;
mod thunks;

use crate::args::options::MachineFrom;
use crate::args::parse::parse;
use crate::loops::toy;
use ::object::read::elf::ElfFile64;
use ::object::{LittleEndian, Object, ObjectSection, ObjectSymbol};
use skald_core::diag::{Diag, Style};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Once;

/// The output of a link, and what was reported.
pub struct Linked {
    bytes: Vec<u8>,
    /// The map.
    pub map: String,
}

/// Otherwise the first test that links would make the thread pool, which would end with that test.
static POOL: Once = Once::new();

/// Links objects of these bytes, in this order.
pub fn link(options: &[&str], objects: &[Vec<u8>]) -> Linked {
    // Fails if another test has already needed a pool.
    POOL.call_once(|| drop(rayon::ThreadPoolBuilder::new().num_threads(2).build_global()));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = directory.path().join("out");
    let mut words: Vec<OsString> = vec!["ld".into(), "-o".into(), output.clone().into()];
    words.push("-Map=%".into());
    words.extend(options.iter().map(OsString::from));
    for (number, bytes) in objects.iter().enumerate() {
        let path = directory.path().join(format!("{number}.o"));
        std::fs::write(&path, bytes).expect("a file");
        words.push(path.into());
    }
    let mut options = parse(&words).expect("a good command line").options;
    options.link_for(&toy::MACHINE, MachineFrom::Option);
    let diag = Diag::new(Style { program: "ld".to_owned(), ..Style::default() });
    super::link(&options, &diag).expect("a link without errors");
    let map = read(&directory.path().join("out.map"));
    Linked { bytes: read(&output), map: String::from_utf8(map).expect("text") }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("the output")
}

impl Linked {
    fn file(&self) -> ElfFile64<'_, LittleEndian> {
        ElfFile64::parse(&*self.bytes).expect("an ELF file")
    }

    /// Address and size of a symbol.
    pub fn symbol(&self, name: &str) -> (u64, u64) {
        let file = self.file();
        let found = file.symbols().find(|symbol| symbol.name() == Ok(name)).expect(name);
        (found.address(), found.size())
    }

    /// Address and bytes of an output section.
    pub fn section(&self, name: &str) -> (u64, Vec<u8>) {
        let file = self.file();
        let found = file.section_by_name(name).expect(name);
        (found.address(), found.data().expect("its bytes").to_vec())
    }

    /// The bytes in memory from an address on.
    pub fn bytes_at(&self, address: u64, len: usize) -> Vec<u8> {
        let file = self.file();
        let held = file
            .sections()
            .find(|s| s.address() <= address && address + len as u64 <= s.address() + s.size());
        let held = held.expect("a section there");
        let at = (address - held.address()) as usize;
        held.data().expect("its bytes")[at..at + len].to_vec()
    }

    /// A 32-bit number in memory.
    pub fn number_at(&self, address: u64) -> i32 {
        i32::from_le_bytes(self.bytes_at(address, 4).try_into().expect("four bytes"))
    }
}
