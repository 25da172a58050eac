//! An opened archive, and the members that it offers.

use crate::archive::{Archive, Member, MemberData};
use crate::first_bytes;
use crate::indexed_names::IndexedNames;
use skald_core::diag::{Error, Result};
use skald_core::hash::HashKey;
use skald_core::input::InputFile;

/// The members of an archive, as known when it is opened.
pub enum Members {
    /// The names of the index, and the members that define them.
    Indexed(IndexedNames),
    /// Header offsets of all members, if all are linked or the archive has no index.
    All(Vec<u64>),
}

/// An archive that has been opened.
pub struct OpenedArchive {
    /// The open file.
    pub file: InputFile,
    /// The archive's own members, parsed.
    pub archive: Archive<'static>,
    /// Its members, by index or all.
    pub members: Members,
    /// `--whole-archive`: all members are linked.
    pub is_whole: bool,
}

impl OpenedArchive {
    /// Walks the index of `archive`, which is in `file`, or the headers of all members if they are
    /// taken whole or there is no index. Names are hashed with `key`.
    pub fn read(
        file: InputFile,
        archive: Archive<'static>,
        is_whole: bool,
        key: &HashKey,
    ) -> Result<OpenedArchive> {
        let index = archive.index().filter(|_| !is_whole);
        let unnamed = index.as_ref().filter(|index| index.is_empty()).map(|_| unnamed(&archive));
        let members = match (index, unnamed) {
            (_, Some(unnamed)) if !unnamed.is_empty() => Members::All(unnamed),
            (Some(index), _) => Members::Indexed(IndexedNames::read(&index, key)?),
            (None, _) => Members::All(all_members(&archive)?),
        };
        Ok(OpenedArchive { file, archive, members, is_whole })
    }
}

/// Header offsets of the members with intermediate code, in an archive whose index is empty:
/// without a plugin, `ar` does not find the symbols of such members.
fn unnamed(archive: &Archive<'static>) -> Vec<u64> {
    let members = archive.members().map_while(|member| member.ok());
    let modules = members.filter(|member| match &member.data {
        MemberData::Here(range) => {
            archive.bytes().get(range.clone()).is_some_and(first_bytes::are_module)
        }
        // Members of a thin archive: each file has to be opened to find out.
        MemberData::File | MemberData::Nested(_) => true,
    });
    modules.map(|member| member.header_offset as u64).collect()
}

/// Offsets of the headers of all members.
fn all_members(archive: &Archive<'static>) -> Result<Vec<u64>> {
    let offset = |member: Member<'_>| member.header_offset as u64;
    let members = archive.members().map(|member| member.map(offset));
    members.collect::<std::result::Result<_, _>>().map_err(|e| Error(e.to_string()))
}
