//! Names that inputs define, for suggestions in messages about undefined names.

use crate::diagnose::messages::Hint;
use crate::diagnose::object_view::ObjectView;
use crate::diagnose::undefined::{self, SearchPath};
use crate::format::elf::SymbolId;
use crate::format::encoding::Encoding;
use crate::read::FileId;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::resolve::tables::Tables;
use skald_linking::near_names::{DefinedName, Reach};

/// Where to look for libraries that are not linked.
pub fn search_path<'t>(tables: &Tables<'t>) -> SearchPath<'t> {
    SearchPath {
        directories: &tables.options.library_paths,
        linked: &tables.candidates.paths,
        only_archives: tables.options.is_static,
        encoding: Encoding::of(tables.options.machine),
    }
}

/// Suggestions for a name in an option that nothing defines, as lines that begin with a line feed;
/// empty if no name is similar.
pub fn meant(tables: &Tables<'_>, name: &[u8]) -> String {
    let file_name = |file| tables.candidates.display_name(FileId::new(file));
    let demangled = tables.options.demangle;
    let hints = undefined::alike(&[name], defined_names(tables), &file_name, demangled);
    let lines = |hint: Hint| hint.render(&tables.printed(name));
    hints.into_iter().flatten().map(lines).collect()
}

/// Names that objects define, for spelling suggestions; file ids are those of the candidates.
pub fn defined_names<'t>(tables: &Tables<'t>) -> impl Iterator<Item = DefinedName<'static>> + 't {
    object_names(tables).chain(library_names(tables)).chain(member_names(tables))
}

/// Names that objects define, local ones too.
pub fn object_names<'t>(tables: &Tables<'t>) -> impl Iterator<Item = DefinedName<'static>> + 't {
    tables.objects.iter().flat_map(|object| {
        let first = object.first_global;
        let file = object.file.map_or(0, |file| file.number());
        object.mapped.symbols.ids().filter_map(move |index| {
            let name = object.symbol_name(index);
            if object.mapped.symbols[index].st_shndx() == 0 || name.is_empty() {
                return None;
            }
            let reach = if index < first { Reach::Local } else { Reach::Global };
            Some(DefinedName { name, version: b"", in_library: false, file, reach })
        })
    })
}

/// Names that shared libraries export, and their local symbols if not stripped.
fn library_names<'t>(tables: &Tables<'t>) -> impl Iterator<Item = DefinedName<'static>> + 't {
    tables.candidates.shared.iter().flat_map(|shared| {
        let file = shared.file.map_or(0, |file| file.number());
        let export = move |index: SymbolId| {
            let version = shared.version_name(index).unwrap_or_default();
            let is_old = shared.version(index) & VERSYM_HIDDEN != 0;
            let reach = if is_old { Reach::OldVersion } else { Reach::Global };
            let name = shared.symbol_name(index);
            DefinedName { name, version, in_library: true, file, reach }
        };
        let exports =
            shared.symbols.ids().skip(1).filter(|&index| shared.is_export(index)).map(export);
        let own = ObjectView::parse(shared.data).map(|view| view.local_names());
        let hidden = own.into_iter().flatten().map(move |name| DefinedName {
            name,
            version: b"",
            in_library: true,
            file,
            reach: Reach::Hidden,
        });
        exports.chain(hidden)
    })
}

/// Names that archive members define which were not taken.
fn member_names<'t>(tables: &Tables<'t>) -> impl Iterator<Item = DefinedName<'static>> + 't {
    tables.candidates.archives.iter().flat_map(|archive| {
        archive.index.iter().filter_map(move |entry| {
            let start = entry.offset as usize;
            let name = archive.data.get(start..start + entry.len as usize)?;
            let file = (archive.first_file + entry.member).number();
            let reach = Reach::Global;
            Some(DefinedName { name, version: b"", in_library: true, file, reach })
        })
    })
}
