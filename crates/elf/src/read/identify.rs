//! Identifies an input by its first bytes.

use crate::args::Options;
use crate::args::options::FormatChoice;
use crate::diagnose::input_files;
use crate::format::elf::Ehdr;
use crate::format::encoding::{Encoding, Record};
use crate::machine::class::data_ident;
use crate::machine::{EMULATIONS, MACHINES, Machine};
use crate::script::text_script::{self, Script};
use memchr::memmem;
use object::elf::*;
use skald_core::diag::{Error, Result};
use skald_core::input;
use skald_host::paths::OsStrBytes;
use skald_linking::archive::{Archive, MemberData, thin_member_path};
use skald_linking::first_bytes;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Kinds of input files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// An ELF relocatable object (ET_REL) for this machine.
    Object,
    /// An ELF shared object (ET_DYN) for this machine.
    Shared,
    /// An archive: `!<arch>`, or thin `!<thin>`.
    Archive,
    /// Text, which is taken for a linker script.
    Script,
    /// LLVM bitcode.
    Bitcode,
    /// An ELF file for another machine, class or byte order.
    ForeignElf,
    /// No kind that is known.
    Unknown,
}

/// The kind of a file, from its first bytes.
pub fn identify(machine: &Machine, data: &[u8]) -> FileKind {
    if data.starts_with(&ELFMAG) {
        return identify_elf(machine, data);
    }
    if Archive::is_archive(data) {
        return FileKind::Archive;
    }
    if first_bytes::are_bitcode(data) {
        return FileKind::Bitcode;
    }
    // As in GNU ld, any other text is taken for a script, so that the error says what is wrong with
    // it.
    if text_script::looks_like_script(data) || first_bytes::are_text(data) {
        return FileKind::Script;
    }
    FileKind::Unknown
}

/// The machine that a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileMachine {
    /// The file is not for one machine.
    None,
    /// The file is for this machine.
    Known(&'static Machine),
    /// It is an object or a library for a machine that is not supported.
    Unknown,
}

/// The machine that a file is for; that of an archive is the one of its first member.
pub fn machine_of(data: &[u8]) -> FileMachine {
    if Archive::is_archive(data) {
        return first_member(data).map_or(FileMachine::None, machine_of_object);
    }
    machine_of_object(data)
}

fn machine_of_object(data: &[u8]) -> FileMachine {
    if !data.starts_with(&ELFMAG) || data.len() < Ehdr::SIZE_32 {
        return FileMachine::None;
    }
    let (number, e_type) = (half_word(data, 18), half_word(data, 16));
    if !matches!(e_type, ET_REL | ET_DYN) {
        return FileMachine::None;
    }
    let ident = data.first_chunk().expect("there is a whole header");
    let is_for = |machine: &&Machine| {
        machine.has_files(ident, number)
            && (machine.own_flags.is_none() || Machine::of_file(data) == Some(*machine))
    };
    let known = MACHINES.into_iter().find(is_for);
    known.map_or(FileMachine::Unknown, FileMachine::Known)
}

/// A number of two bytes in a file's header, in the byte order that the header states.
fn half_word(data: &[u8], at: usize) -> u16 {
    let bytes = [data[at], data[at + 1]];
    if data[5] == ELFDATA2MSB { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}

/// The content of an archive's first member.
fn first_member(data: &[u8]) -> Option<&[u8]> {
    let member = Archive::parse(data).ok()?.members().next()?.ok()?;
    match member.data {
        MemberData::Here(range) => Some(&data[range]),
        _ => None,
    }
}

/// Whether the file `path`, which holds `data`, is for another machine. The first member decides
/// for an archive, and the first `OUTPUT_FORMAT` for a linker script, as in GNU ld: a `libc.so` for
/// 32 bits is such a script.
pub fn is_foreign(machine: &Machine, path: &Path, data: &[u8]) -> bool {
    if Archive::is_thin_archive(data) {
        let member = first_thin_member(path, data).and_then(|member| input::open(&member).ok());
        return member.is_some_and(|member| is_foreign_elf(machine, member.data));
    }
    if Archive::is_archive(data) {
        return first_member(data).is_some_and(|member| is_foreign_elf(machine, member));
    }
    is_foreign_elf(machine, data) || is_foreign_script(machine, data)
}

/// Whether `data` is an ELF file for another machine, class or byte order.
pub fn is_foreign_elf(machine: &Machine, data: &[u8]) -> bool {
    identify(machine, data) == FileKind::ForeignElf
}

/// Whether a linker script names another output format.
fn is_foreign_script(machine: &Machine, text: &[u8]) -> bool {
    if !text_script::looks_like_script(text) || memmem::find(text, b"OUTPUT_FORMAT").is_none() {
        return false;
    }
    // Only the script itself counts, not the scripts that it includes.
    let includes = |_: &[u8]| Ok((String::new(), &b""[..]));
    let Ok(script) = Script::parse("", text, &includes) else { return false };
    let mut commands = script.commands.iter();
    let format = commands.find_map(|(_, command)| command.output_format(FormatChoice::Default));
    format.is_some_and(|format| machine.format_of(format).is_none())
}

/// The path of the first member of the thin archive `path`.
fn first_thin_member(path: &Path, data: &[u8]) -> Option<PathBuf> {
    let member = Archive::parse(data).ok()?.members().next()?.ok()?;
    let name = Path::new(OsStr::from_bytes(member.name));
    (member.data == MemberData::File).then(|| thin_member_path(path, name))
}

fn identify_elf(machine: &Machine, data: &[u8]) -> FileKind {
    let encoding = Encoding::of(machine);
    let Some(header) = encoding.read::<Ehdr>(data) else { return FileKind::Unknown };
    let is_for = machine.has_files(&header.e_ident(), header.e_machine());
    if !is_for || !machine.has_flags(header.e_flags()) {
        return FileKind::ForeignElf;
    }
    match header.e_type() {
        ET_REL => FileKind::Object,
        ET_DYN => FileKind::Shared,
        _ => FileKind::Unknown,
    }
}

/// The machine of the link, and the file that determined it, if one did.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkedFor<'a> {
    /// The facts of the machine.
    pub machine: &'static Machine,
    /// The first file for the machine, if no option gives it.
    pub decided_by: Option<&'a Path>,
}

impl<'a> LinkedFor<'a> {
    /// From the options of a link.
    pub fn of(options: &'a Options) -> LinkedFor<'a> {
        LinkedFor { machine: options.machine, decided_by: options.machine_from.file() }
    }
}

/// Checks that a file, such as an archive member, is an object for this machine.
pub fn check_object(linked_for: LinkedFor<'_>, data: &[u8]) -> Result<()> {
    match identify(linked_for.machine, data) {
        FileKind::Object => Ok(()),
        kind => Err(Error(describe_mismatch(linked_for, data, kind))),
    }
}

/// The message that a file of `kind` cannot be linked as an object.
pub fn describe_mismatch(linked_for: LinkedFor<'_>, data: &[u8], kind: FileKind) -> String {
    match kind {
        FileKind::ForeignElf => describe_foreign(linked_for, data),
        FileKind::Bitcode => "is LLVM bitcode, which no plugin claims".to_owned(),
        FileKind::Shared => "is a shared object, not a relocatable one".to_owned(),
        _ if data.is_empty() => "file is empty".to_owned(),
        _ if data.starts_with(&ELFMAG) => describe_type(linked_for.machine, data),
        _ => "unknown file type".to_owned(),
    }
}

/// Describes the type of an ELF file for this machine that cannot be linked.
fn describe_type(machine: &Machine, data: &[u8]) -> String {
    let header = Encoding::of(machine).read::<Ehdr>(data);
    let Some(header) = header else { return "file is too short".to_owned() };
    let what = match header.e_type() {
        ET_EXEC => "a program, which cannot be linked again",
        ET_CORE => "a core dump",
        _ => "neither a relocatable nor a shared object",
    };
    format!("is {what}")
}

/// The message that the first file, or its first member, is for a machine that is not supported.
pub fn describe_unknown_machine(data: &[u8]) -> String {
    let member = Archive::is_archive(data).then(|| first_member(data)).flatten();
    let data = member.unwrap_or(data);
    let bits = if data[4] == ELFCLASS64 { 64 } else { 32 };
    let order = if data[5] == ELFDATA2MSB { "big" } else { "little" };
    let number = half_word(data, 18);
    let hints = MACHINES.into_iter().map(|machine| foreign_hint(machine, data));
    let hint = hints.max_by_key(|hint| hint.len()).unwrap_or_default();
    format!(
        "is a {bits}-bit {order}-endian ELF file for {}, which -m has no emulation for: it takes \
         {EMULATIONS}{hint}",
        input_files::machine(number)
    )
}

/// A hint on why a file is not for `machine`.
fn foreign_hint(machine: &Machine, data: &[u8]) -> &'static str {
    let (class, number) = (data[4], half_word(data, 18));
    let mut hints = machine.foreign_hints.iter();
    let hint =
        hints.find(|(of_class, e_machine, _)| (of_class.ident(), *e_machine) == (class, number));
    hint.map_or("", |(_, _, hint)| hint)
}

fn describe_foreign(linked_for: LinkedFor<'_>, data: &[u8]) -> String {
    let LinkedFor { machine, decided_by } = linked_for;
    let (class, order) = (data[4], data[5]);
    let hint = foreign_hint(machine, data);
    let theirs = input_files::machine(half_word(data, 18));
    let what = if class != machine.class.ident() {
        let bits = if class == ELFCLASS64 { 64 } else { 32 };
        format!("an ELF file of {bits}-bit class")
    } else if order != data_ident(machine.byte_order) {
        let order = if order == ELFDATA2LSB { "little" } else { "big" };
        format!("a {order}-endian ELF file")
    } else {
        "an ELF file".to_owned()
    };
    let ours = match decided_by {
        Some(path) => {
            let ours = input_files::machine(machine.e_machine);
            format!("{}, which is for {ours}", path.display())
        }
        None => machine.emulation.to_owned(),
    };
    format!("is {what} for {theirs}, incompatible with {ours}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(class: u8, order: u8, e_type: u8, e_machine: u16) -> Vec<u8> {
        let mut data = vec![0; 64];
        data[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, order]);
        let halves = [u16::from(e_type), e_machine].map(|half| match order {
            ELFDATA2MSB => half.to_be_bytes(),
            _ => half.to_le_bytes(),
        });
        data[16..20].copy_from_slice(halves.as_flattened());
        data
    }

    #[test]
    fn objects_and_libraries_say_which_machine_they_are_for() {
        let own = MACHINES[0];
        let of = |e_type| {
            machine_of(&file(own.class.ident(), data_ident(own.byte_order), e_type, own.e_machine))
        };
        assert_eq!(of(ET_REL as u8), FileMachine::Known(own));
        assert_eq!(of(ET_DYN as u8), FileMachine::Known(own));
        assert_eq!(of(ET_EXEC as u8), FileMachine::None);
        let foreign = file(ELFCLASS64, ELFDATA2MSB, ET_REL as u8, EM_BPF);
        assert_eq!(machine_of(&foreign), FileMachine::Unknown);
        assert_eq!(machine_of(b"OUTPUT_ARCH(arm)"), FileMachine::None);
        let text = describe_unknown_machine(&foreign);
        assert!(text.starts_with("is a 64-bit big-endian ELF file for BPF, "), "{text}");
    }

    #[test]
    fn a_mix_names_the_file_that_decided() {
        let foreign = file(ELFCLASS64, ELFDATA2LSB, ET_REL as u8, EM_AARCH64);
        let machine = MACHINES[0];
        let decided_by = Some(Path::new("a.o"));
        let text = describe_foreign(LinkedFor { machine, decided_by }, &foreign);
        let ours = input_files::machine(machine.e_machine);
        let expected = format!("incompatible with a.o, which is for {ours}");
        assert!(text.ends_with(&expected), "{text}");
        let text = describe_foreign(LinkedFor { machine, decided_by: None }, &foreign);
        assert!(text.ends_with(machine.emulation), "{text}");
    }
}
