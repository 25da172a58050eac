//! The abbreviations of a rewritten unit.

use super::tree::{Entry, Tree, is_sibling};
use crate::abbreviations::Attribute;
use gimli::constants::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::leb128::push_uleb128;

/// How an entry's abbreviation changes. Bit `n` stands for attribute `n`: a DW_AT_sibling is left
/// out, and any other attribute now refers to another unit.
pub type Changes = u64;

/// The tag and attributes that an entry keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeptShape {
    /// The changes of its attributes.
    pub changes: Changes,
    /// Only its name is left.
    pub is_declared: bool,
    /// Some of its children stay.
    pub has_children: bool,
}

/// Units with entries of more attributes are not rewritten.
pub const MAX_ATTRIBUTES: usize = 64;

/// Abbreviations, in the order in which entries first use them.
#[derive(Default)]
pub struct Shapes {
    /// The table, without its end.
    bytes: Vec<u8>,
    count: u64,
    by_content: UnorderedMap<Vec<u8>, u64>,
    by_shape: UnorderedMap<(usize, KeptShape), u64>,
}

fn push_sleb(out: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

/// The size of a LEB128 number in bytes.
pub fn uleb_len(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

/// Whether the form is that of a reference within a unit.
pub fn is_local(form: DwForm) -> bool {
    matches!(form, DW_FORM_ref1 | DW_FORM_ref2 | DW_FORM_ref4 | DW_FORM_ref8 | DW_FORM_ref_udata)
}

/// The form of an attribute in the new unit; `None` if it is left out.
pub fn new_form(attribute: &Attribute, is_changed: bool) -> Option<DwForm> {
    match (is_local(attribute.form), is_changed) {
        (true, true) if is_sibling(attribute) => None,
        (true, true) => Some(DW_FORM_ref_addr),
        (true, false) => Some(DW_FORM_ref4),
        _ => Some(attribute.form),
    }
}

impl Shapes {
    /// The code of an entry's new abbreviation.
    pub fn code(&mut self, tree: &Tree<'_>, entry: &Entry<'_>, remains: KeptShape) -> u64 {
        let key = (entry.shape.position(), remains);
        let KeptShape { changes, is_declared, has_children } = remains;
        if let Some(&code) = self.by_shape.get(&key) {
            return code;
        }
        let mut content = Vec::new();
        push_uleb128(&mut content, entry.shape.tag.0.into());
        content.push(has_children.into());
        for (at, attribute) in tree.abbreviations().attributes(entry.shape).iter().enumerate() {
            if is_declared && attribute.name != DW_AT_name {
                continue;
            }
            let Some(form) = new_form(attribute, changes >> at & 1 != 0) else { continue };
            push_uleb128(&mut content, attribute.name.0.into());
            push_uleb128(&mut content, form.0.into());
            if form == DW_FORM_implicit_const {
                push_sleb(&mut content, attribute.constant);
            }
        }
        if is_declared {
            push_uleb128(&mut content, DW_AT_declaration.0.into());
            push_uleb128(&mut content, DW_FORM_flag_present.0.into());
        }
        content.extend_from_slice(&[0, 0]);
        let code = match self.by_content.get(&content) {
            Some(&code) => code,
            None => {
                self.count += 1;
                push_uleb128(&mut self.bytes, self.count);
                self.bytes.extend_from_slice(&content);
                self.by_content.insert(content, self.count);
                self.count
            }
        };
        self.by_shape.insert(key, code);
        code
    }

    /// The bytes of the abbreviation table.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::uleb;

    #[test]
    fn numbers_have_the_length_that_is_foretold() {
        for value in [0, 1, 127, 128, 16383, 16384, u64::MAX] {
            let mut bytes = Vec::new();
            push_uleb128(&mut bytes, value);
            assert_eq!((uleb(&bytes, &mut 0), bytes.len()), (Some(value), uleb_len(value)));
        }
    }

    #[test]
    fn signs_are_kept() {
        for (value, bytes) in
            [(-1, &[0x7f][..]), (63, &[0x3f]), (64, &[0xc0, 0]), (-65, &[0xbf, 0x7f])]
        {
            let mut out = Vec::new();
            push_sleb(&mut out, value);
            assert_eq!(out, bytes, "{value}");
        }
    }
}
