//! The call graph with counts: SHT_LLVM_CALL_GRAPH_PROFILE sections, or
//! `--call-graph-ordering-file` instead.
//!
//! Such a section is an array of 64-bit counts; for each there are two relocations, against caller
//! and callee (LLVM Extensions, "SHT_LLVM_CALL_GRAPH_PROFILE"). Calls between different output
//! sections are ignored, because these are not placed side by side.

use super::requested::OrderInput;
use super::symbol_search::{self, Place};
use crate::diagnose::order::MessageKind;
use crate::format::crel::Crel;
use crate::format::elf::{self, Rel, Rela, SymbolId};
use crate::read::ObjectFile;
use crate::resolve::definitions::SectionId;
use object::elf::{SHT_CREL, SHT_REL, SHT_RELA};
use skald_core::diag::{Error, Result};
use skald_core::unordered::UnorderedMap;
use skald_linking::order::call_graph::Calls;
use std::path::Path;

/// All calls in the profiles of objects, or in the file of the option.
pub fn collect(input: &OrderInput<'_>) -> Calls {
    let mut calls = Calls::default();
    let mut add = |from: Option<SectionId>, to: Option<SectionId>, count: u64| {
        let (Some(from), Some(to)) = (from, to) else { return };
        let (from, to) = (input.folds.leader(from), input.folds.leader(to));
        let out = |id: SectionId| input.definitions.sections[id].output();
        let movable = input.is_placed(from) && input.is_placed(to);
        if movable && out(from) == out(to) {
            calls.add(from, to, count);
        }
    };
    if let Some(path) = &input.options.arrangement.call_graph_ordering_file {
        of_file(input, path, &mut add);
        return calls;
    }
    let profiled = input.objects.with_ids().filter(|(_, o)| o.call_graph_profile != 0);
    for (at, object) in profiled {
        match of_object(object) {
            Ok(counted) => {
                for (from, to, count) in counted {
                    add(input.section_of(at, from), input.section_of(at, to), count);
                }
            }
            Err(Error(text)) => {
                let file = object.file.expect("numbered when taken");
                let name = input.candidates.display_name(file);
                input.diag.error((u64::from(file.number()), 0), format!("{name}: {text}"));
            }
        }
    }
    calls
}

/// Calls of an object's profile: symbols of caller and callee, and how often.
fn of_object(object: &ObjectFile) -> Result<Vec<(SymbolId, SymbolId, u64)>> {
    let index = object.call_graph_profile;
    let bad = |what: &str| Error(format!("section .llvm.call-graph-profile {what}"));
    let header = object.header(index);
    let counts = elf::range(object.mapped.data, header.sh_offset(), header.sh_size())
        .ok_or_else(|| bad("lies outside the file"))?;
    let (counts, []) = counts.as_chunks::<8>() else {
        return Err(bad("is no array of 64-bit counts"));
    };
    let symbols = related_symbols(object, index).ok_or_else(|| bad("has bad relocations"))?;
    if symbols.is_empty() {
        return Ok(Vec::new());
    }
    let (pairs, []) = symbols.as_chunks::<2>() else {
        return Err(bad("has a caller without a callee"));
    };
    if pairs.len() != counts.len() {
        return Err(bad("has a number of relocations that does not match that of its counts"));
    }
    let counts = counts.iter().map(|&count| object.mapped.encoding.order.number(count));
    Ok(pairs.iter().zip(counts).map(|(&[from, to], count)| (from, to, count)).collect())
}

/// Symbols of the relocations of section `index`, in order.
fn related_symbols(object: &ObjectFile, index: u32) -> Option<Vec<SymbolId>> {
    let against = |s: &&elf::Shdr| {
        s.sh_info() == index && matches!(s.sh_type(), SHT_RELA | SHT_REL | SHT_CREL)
    };
    let Some(header) = object.mapped.shdrs.iter().find(against) else { return Some(Vec::new()) };
    let bytes = elf::range(object.mapped.data, header.sh_offset(), header.sh_size())?;
    let encoding = object.mapped.encoding;
    let symbol = |r_sym: u32| SymbolId::new(r_sym);
    match header.sh_type() {
        SHT_CREL => {
            let entries = Crel::parse(bytes).ok()?;
            entries.map(|entry| entry.ok().map(|entry| symbol(entry.r_sym))).collect()
        }
        SHT_REL => {
            Some(encoding.records::<Rel>(bytes)?.iter().map(|r| symbol(r.r_sym())).collect())
        }
        _ => Some(encoding.records::<Rela>(bytes)?.iter().map(|r| symbol(r.r_sym())).collect()),
    }
}

/// Calls that a file lists, one on each line: caller, callee, count.
fn of_file(
    input: &OrderInput<'_>,
    path: &Path,
    add: &mut dyn FnMut(Option<SectionId>, Option<SectionId>, u64),
) {
    let mut lines = Vec::new();
    for line in input.lines(path) {
        let Some(call) = parse_line(line) else {
            let text = format!(
                "{}: parse error: '{}' is no caller, callee and count",
                path.display(),
                String::from_utf8_lossy(line)
            );
            return input.diag.error(MessageKind::SectionOrder.key(0), text);
        };
        lines.push(call);
    }
    let mut names: Vec<&[u8]> = lines.iter().flat_map(|&(from, to, _)| [from, to]).collect();
    let mut seen: UnorderedMap<&[u8], usize> = UnorderedMap::new();
    names.retain(|&name| {
        let position = seen.len();
        *seen.entry(name).or_insert(position) == position
    });
    let found = symbol_search::find(input, &names);
    let mut warnings = Vec::new();
    for (name, found) in names.iter().zip(&found) {
        match found.as_slice() {
            [] => {
                let name = String::from_utf8_lossy(name);
                warnings.push(format!("{}: no such symbol: {name}", path.display()));
            }
            [first, ..] => warnings.extend(symbol_search::warning(input, name, first)),
        }
    }
    if !input.options.reports.no_warn_symbol_ordering {
        for (at, text) in (0..).zip(warnings) {
            input.diag.warn(MessageKind::SectionOrder.key(at), text);
        }
    }
    let section = |name: &[u8]| match found[seen[name]].first()?.place {
        Place::Section(id) => Some(id),
        _ => None,
    };
    for (from, to, count) in lines {
        add(section(from), section(to), count);
    }
}

fn parse_line(line: &[u8]) -> Option<(&[u8], &[u8], u64)> {
    let mut fields = line.split(|&byte| byte == b' ');
    let (from, to, count) = (fields.next()?, fields.next()?, fields.next()?);
    let count =
        std::str::from_utf8(count).ok().and_then(skald_linking::option_row::parse_number)?;
    fields.next().is_none().then_some((from, to, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_three_fields() {
        assert_eq!(parse_line(b"a b 5"), Some((&b"a"[..], &b"b"[..], 5)));
        for bad in [&b"a b"[..], b"a  b 5", b"a b c", b"a b -1", b"a b 1 2", b""] {
            assert_eq!(parse_line(bad), None);
        }
    }
}
