//! Contents of `.got`, `.got.plt`, `.plt` and `.plt.got`.

use super::dynamic_relocs::{resolver_address, tls_offset};
use super::image::Image;
use super::plt::{Plt, PltEntry, PltOutOfReach};
use super::slots::{GotWord, SlotOwner, SlotSetId, WordId};
use super::symtab;
use crate::layout::Synthetic;
use crate::machine::Machine;
use crate::machine::listed_got::ListedGot;
use crate::resolve::definitions::attr;

/// Bytes of `.got`.
pub fn got_size(machine: &Machine, words: u64) -> u64 {
    machine.got_word * words
}

/// Fills `.got`: words that the loader does not write, and words to which RELR adds the base
/// address.
pub fn write_got(image: &Image<'_>, out: &mut [u8]) {
    let (size, order) = (image.machine.got_word as usize, image.machine.byte_order);
    let (front, out) = out.split_at_mut(size * image.outputs.got_front as usize);
    if let Some(got) = image.machine.listed_got {
        write_front(image, got, front);
    }
    for ((word, &(kind, set)), place) in image.slots.got.with_ids().zip(out.chunks_exact_mut(size))
    {
        order.put_low(place, got_value(image, word, kind, set.get()));
    }
}

/// Fills the words in front of those of symbols: the loader's, and those of pages.
fn write_front(image: &Image<'_>, got: &ListedGot, out: &mut [u8]) {
    out.fill(0);
    let (size, order) = (image.machine.got_word as usize, image.machine.byte_order);
    order.put_low(&mut out[size..2 * size], 1 << (8 * size - 1));
    let words = out[size * got.reserved as usize..].chunks_exact_mut(size);
    words.zip(&image.got_pages).for_each(|(place, &page)| order.put_low(place, page));
}

fn got_value(image: &Image<'_>, word: WordId, kind: GotWord, set: Option<SlotSetId>) -> u64 {
    // The executable is TLS module 1.
    let own_module = u64::from(!image.shape.is_shared);
    let Some(set) = set else {
        return match kind {
            GotWord::OwnModule => own_module,
            GotWord::Dynamic if image.machine.got_bias != 0 => image.got_base,
            GotWord::Dynamic => image.outputs.address_of(Synthetic::Dynamic),
            GotWord::Placed => {
                let (object, symbol, addend) = image.slots.placed_in(word);
                image.sum(object, symbol, addend)
            }
            _ => 0,
        };
    };
    let owner = image.slots.sets[set].owner;
    let is_imported = image.owner_attributes(owner) & attr::IMPORTED != 0;
    if let Some(schema) = schema(image, word, kind, owner) {
        return schema;
    }
    if is_imported {
        // The loader takes a function's word that differs from the symbol for a stub's address.
        let name = owner.global().filter(|_| kind == GotWord::Address);
        let listed = name.filter(|_| image.machine.listed_got.is_some());
        return listed.map_or(0, |name| {
            symtab::dynamic_entry(image, name, 0, image.is_copy(name)).st_value()
        });
    }
    match kind {
        GotWord::Address => image.owner_value(owner),
        GotWord::Resolved => resolver_address(image, owner),
        GotWord::ThreadOffset if !image.shape.is_shared => {
            image.owner_offset(owner, image.thread_pointer)
        }
        GotWord::NegativeThreadOffset if !image.shape.is_shared => {
            image.owner_offset(owner, image.thread_pointer).wrapping_neg()
        }
        GotWord::BlockOffset => tls_offset(image, owner).wrapping_sub(image.machine.dtv_offset),
        GotWord::Module => own_module,
        GotWord::ModuleOffset if image.slots.word_before(word) == GotWord::Module => {
            tls_offset(image, owner).wrapping_sub(image.machine.dtv_offset)
        }
        GotWord::ThreadOffset
        | GotWord::NegativeThreadOffset
        | GotWord::ModuleOffset
        | GotWord::Descriptor
        | GotWord::SignedAddress
        | GotWord::SignedDescriptor
        | GotWord::OwnModule
        | GotWord::Dynamic
        | GotWord::Placed
        | GotWord::Loader => 0,
    }
}

/// How the loader shall sign a word; `None` for one that stays as it is.
fn schema(image: &Image<'_>, word: WordId, kind: GotWord, owner: SlotOwner) -> Option<u64> {
    let is_of_descriptor =
        kind == GotWord::ModuleOffset && image.slots.word_before(word) == GotWord::SignedDescriptor;
    let is_code = match kind {
        GotWord::SignedAddress if image.owner_view(owner).is_nothing() => return None,
        GotWord::SignedAddress => image.is_function(owner),
        // The descriptor's function, and its argument.
        GotWord::SignedDescriptor => true,
        _ if is_of_descriptor => false,
        _ => return None,
    };
    let signed = image.machine.loader.signed?;
    Some(if is_code { signed.code_schema } else { signed.data_schema })
}

/// Bytes of `.got.plt`.
pub fn got_plt_size(machine: &Machine, plt_entries: usize) -> u64 {
    let words = machine.got_plt_words * plt_entries as u64;
    machine.got_word * (machine.got_plt_reserved + words)
}

/// Fills `.got.plt`: the address of `.dynamic`, if it is not in `.got`; two words for the loader;
/// then for each PLT entry the address where a call continues until the function is bound.
pub fn write_got_plt(image: &Image<'_>, out: &mut [u8]) {
    out.fill(0);
    let (size, order) = (image.machine.got_word as usize, image.machine.byte_order);
    if !image.machine.has_got_header() {
        order.put_low(&mut out[..size], image.outputs.address_of(Synthetic::Dynamic));
    }
    let (first, lazy) = (image.machine.got_plt_reserved as usize, image.plt.initial_got_entry);
    for at in image.slots.plt.ids() {
        let entry = image.lazy_entry(at);
        let value = lazy(image.bases.plt, entry);
        let word = first + image.machine.got_plt_words as usize * at.index();
        order.put_low(&mut out[size * word..][..size], value);
    }
}

/// Bytes of `.plt`.
pub fn plt_size(plt: &Plt, entries: usize, direct_entries: usize) -> u64 {
    let needs_header = entries != 0 || (direct_entries != 0 && plt.direct_entry_needs_header);
    let header = if needs_header { plt.header_size } else { 0 };
    (header + entries * plt.entry_size) as u64
}

/// Fills `.plt`.
pub fn write_plt(image: &Image<'_>, out: &mut [u8]) -> Result<(), PltOutOfReach> {
    let plt = image.plt;
    if image.machine.plt_in_place.is_some() {
        return write_plt_in_place(image, out);
    }
    let (header, entries) = out.split_at_mut(plt.header_size);
    (plt.write_header)(header, image.bases.plt, image.bases.loader_words)?;
    for (at, part) in image.slots.plt.ids().zip(entries.chunks_exact_mut(plt.entry_size)) {
        let entry = PltEntry {
            plt_address: image.bases.plt,
            entry_address: image.lazy_entry(at),
            got_entry_address: image.got_plt_word(at),
            got_base: image.got_base,
            index: at.number(),
        };
        (plt.write_entry)(part, &entry)?;
    }
    Ok(())
}

/// Fills a `.plt` that the loader writes into.
fn write_plt_in_place(image: &Image<'_>, out: &mut [u8]) -> Result<(), PltOutOfReach> {
    let (plt, start, order) = (image.plt, image.bases.plt, image.machine.byte_order);
    (plt.write_header)(&mut out[..plt.header_size], start, 0)?;
    for (at, &set) in image.slots.plt.with_ids() {
        let entry = PltEntry {
            plt_address: start,
            entry_address: image.plt_entry(set).unwrap_or(start),
            got_entry_address: image.got_plt_word(at),
            got_base: image.got_base,
            index: at.number(),
        };
        let (code, word) = (entry.entry_address - start, entry.got_entry_address - start);
        let size = if word == code { plt.entry_size } else { far_code(image) };
        (plt.write_entry)(&mut out[code as usize..][..size], &entry)?;
        if word != code {
            let value = (plt.initial_got_entry)(start, entry.entry_address);
            order.put_low(&mut out[word as usize..][..plt.entry_size - size], value);
        }
    }
    Ok(())
}

/// Bytes of the code of an entry that has a word elsewhere.
fn far_code(image: &Image<'_>) -> usize {
    image.machine.plt_in_place.map_or(0, |in_place| in_place.far_code as usize)
}

/// Bytes of `.plt.got`.
pub fn direct_plt_size(plt: &Plt, entries: usize) -> u64 {
    (entries * plt.direct_entry_size) as u64
}

/// Fills `.plt.got`.
pub fn write_direct_plt(image: &Image<'_>, out: &mut [u8]) -> Result<(), PltOutOfReach> {
    let plt = image.plt;
    for (&set, part) in
        image.slots.direct_plt.iter().zip(out.chunks_exact_mut(plt.direct_entry_size))
    {
        let entry = PltEntry {
            plt_address: image.bases.plt,
            entry_address: image.plt_entry(set).unwrap_or(0),
            got_entry_address: image.jump_word(set).unwrap_or(0),
            got_base: image.got_base,
            index: 0,
        };
        (plt.write_direct_entry)(part, &entry)?;
    }
    Ok(())
}
