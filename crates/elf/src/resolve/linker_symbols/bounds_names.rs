//! Names of linker-defined symbols that exist though no file refers to them: names of versions, and
//! bounds of sections for `--start-stop`, `--physical-image-base` and a given `-z
//! start-stop-visibility`. Debuggers, firmware loaders and libraries that look up the program's
//! symbols read them.

use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{Definition, Definitions, Rank};
use crate::resolve::extract::Extraction;
use crate::resolve::referent::ValueBase;
use crate::script::section_names::OutputId;
use skald_core::ids::Column;
use skald_core::names::{HashedName, NameId, NameRef};
use std::borrow::Cow;

/// By output id: whether an input with SHF_ALLOC goes there.
pub fn loaded_outputs(definitions: &Definitions, count: usize) -> Column<OutputId, bool> {
    let mut loaded = Column::filled(false, count);
    for section in &definitions.sections {
        let flags = section.flags;
        if flags.has(SectionFlags::ALLOC) && !flags.has(SectionFlags::DISCARDED) {
            loaded[section.output()] = true;
        }
    }
    loaded
}

/// Interns `texts`, once in a link; names that exist keep their ids. Returns the ids.
pub fn enter(
    definitions: &mut Definitions,
    extraction: &mut Extraction,
    texts: &[Cow<'_, [u8]>],
) -> Vec<NameId> {
    extraction.names.reserve(texts.len());
    extraction.refs.grow(extraction.names.id_limit(), extraction.names.capacity());
    let mut stock = extraction.names.stock();
    let mut pool = Vec::with_capacity(texts.iter().map(|text| text.len()).sum());
    let mut entered = Vec::with_capacity(texts.len());
    for text in texts {
        let name = NameRef {
            pool: extraction.pools.late(),
            pool_offset: pool.len() as u32,
            len: text.len() as u32,
        };
        pool.extend_from_slice(text);
        let hash = extraction.names.key().hash(text);
        entered.push(extraction.names.intern(HashedName { hash, name }, &mut stock));
    }
    extraction.pools.set(extraction.pools.late(), Box::leak(pool.into_boxed_slice()));
    let limit = extraction.names.id_limit();
    definitions.globals.resize(limit, Definition { value_base: ValueBase::NOWHERE, attributes: 0 });
    definitions.ranks.resize(limit, Rank::NONE);
    entered
}
