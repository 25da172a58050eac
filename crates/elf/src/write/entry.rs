//! `e_entry`: the entry point, with a warning if it is not the one asked for (`lang_end` in GNU
//! ld's `ldlang.c`).

use crate::args::OutputKind;
use crate::check::known_names;
use crate::resolve::definitions::attr;
use crate::resolve::tables::Tables;
use crate::resolve::wanted::{entry_is_named, entry_name};
use crate::synth::image::Image;
use crate::synth::values;
use skald_core::diag::WHOLE_LINK;

/// `e_entry`. As with GNU ld a program without the entry symbol starts with its code, with a
/// warning.
pub fn address(tables: &Tables<'_>, image: &Image<'_>) -> u64 {
    let &Tables { options, candidates, extraction, definitions, .. } = tables;
    // A shared library need not have an entry point, but one that is also a program does.
    let text = entry_name(options, candidates).unwrap_or_else(|| options.machine.entry.into());
    if let Some(name) = extraction.own_name(&text)
        && let global = definitions.globals[name]
        && global.has(attr::DEFINED | attr::SHARED)
    {
        let address = values::plain(image.values.of_name[name]).unwrap_or(0);
        // A library's function has an address here only if it has a canonical PLT entry.
        if address != 0 || global.has(attr::DEFINED) {
            return address;
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let digits = text
        .strip_prefix("0x")
        .map_or_else(|| text.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok());
    if let Some(address) = digits {
        return address;
    }
    if options.kind == OutputKind::Shared && options.entry.is_none() {
        return 0;
    }
    let start = match options.kind {
        OutputKind::Shared => None,
        _ => image.outputs.named(b".text").map(|s| s.address),
    };
    // A script that replaces the default layout, which has `ENTRY(_start)`, asks for no entry.
    if !candidates.replaces_default || entry_is_named(options, candidates) {
        tell_missing(tables, &text, start);
    }
    start.unwrap_or(0)
}

fn tell_missing(tables: &Tables<'_>, text: &str, start: Option<u64>) {
    let instead = match start {
        Some(address) => format!("the program starts at {address:#x}"),
        None => "not setting start address".to_owned(),
    };
    let hint = known_names::meant(tables, text.as_bytes());
    let text = format!("cannot find entry symbol {text}; {instead}{hint}");
    tables.diag.warn(WHOLE_LINK, text);
}
