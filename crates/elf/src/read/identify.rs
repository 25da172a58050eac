//! Identifies an input by its first bytes.

use crate::diagnose::input_files;
use crate::format::elf::Ehdr;
use crate::machine::Machine;
use object::elf::*;
use skald_core::diag::{Error, Result};
use skald_linking::archive::{Archive, MemberData};
use skald_linking::first_bytes;
use zerocopy::FromBytes;

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
    /// None of these.
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
    // Like GNU ld, takes any other text for a script, so that the error says what is wrong with it.
    if crate::script::text_script::looks_like_script(data) || first_bytes::are_text(data) {
        return FileKind::Script;
    }
    FileKind::Unknown
}

/// Whether a library is for another machine; of an archive the first member decides.
pub fn is_foreign(machine: &Machine, data: &[u8]) -> bool {
    if !Archive::is_archive(data) {
        return identify(machine, data) == FileKind::ForeignElf;
    }
    let first = Archive::parse(data).ok().and_then(|archive| archive.members().next()?.ok());
    match first.map(|member| member.data) {
        Some(MemberData::Here(range)) => identify(machine, &data[range]) == FileKind::ForeignElf,
        _ => false,
    }
}

fn identify_elf(machine: &Machine, data: &[u8]) -> FileKind {
    let Ok((header, _)) = Ehdr::ref_from_prefix(data) else { return FileKind::Unknown };
    if !machine.has_files(&header.e_ident(), header.e_machine()) {
        return FileKind::ForeignElf;
    }
    match header.e_type() {
        ET_REL => FileKind::Object,
        ET_DYN => FileKind::Shared,
        _ => FileKind::Unknown,
    }
}

/// Checks that a file, such as an archive member, is an object for this machine.
pub fn check_object(machine: &Machine, data: &[u8]) -> Result<()> {
    match identify(machine, data) {
        FileKind::Object => Ok(()),
        kind => Err(Error(describe_mismatch(machine, data, kind))),
    }
}

/// The message that a file of `kind` cannot be linked as an object.
pub fn describe_mismatch(machine: &Machine, data: &[u8], kind: FileKind) -> String {
    match kind {
        FileKind::ForeignElf => describe_foreign(machine, data),
        FileKind::Bitcode => "is LLVM bitcode, which no plugin claims".to_owned(),
        FileKind::Shared => "is a shared object, not a relocatable one".to_owned(),
        _ if data.is_empty() => "file is empty".to_owned(),
        _ if data.starts_with(&ELFMAG) && data.len() < 64 => "file is too short".to_owned(),
        _ if data.starts_with(&ELFMAG) => describe_type(data),
        _ => "unknown file type".to_owned(),
    }
}

/// Names the type of an ELF file for this machine that cannot be linked.
fn describe_type(data: &[u8]) -> String {
    let what = match u16::from_le_bytes([data[16], data[17]]) {
        ET_EXEC => "a program, which cannot be linked again",
        ET_CORE => "a core dump",
        _ => "neither a relocatable nor a shared object",
    };
    format!("is {what}")
}

fn describe_foreign(machine: &Machine, data: &[u8]) -> String {
    let (class, order) = (data[4], data[5]);
    let number = match order {
        ELFDATA2MSB => u16::from_be_bytes([data[18], data[19]]),
        _ => u16::from_le_bytes([data[18], data[19]]),
    };
    let mut hints = machine.foreign_hints.iter();
    let hint = hints.find(|(of_class, e_machine, _)| (*of_class, *e_machine) == (class, number));
    let hint = hint.map_or("", |(_, _, hint)| hint);
    let theirs = input_files::machine(number);
    let what = if class != machine.class {
        let bits = if class == ELFCLASS64 { 64 } else { 32 };
        format!("an ELF file of {bits}-bit class")
    } else if order != machine.byte_order {
        let order = if order == ELFDATA2LSB { "little" } else { "big" };
        format!("a {order}-endian ELF file")
    } else {
        "an ELF file".to_owned()
    };
    format!("is {what} for {theirs}, incompatible with {}{hint}", machine.emulation)
}
