//! Texts that were added to `.debug_str`, because a table of names says where there a name stands.

use crate::names::Text;
use skald_core::unordered::UnorderedMap;

/// What a namespace without a name is called in the table (DWARF 5, section 6.1.1.1).
pub const ANONYMOUS: &[u8] = b"(anonymous namespace)";

/// Where added texts stand.
pub struct AddedTexts<'a> {
    places: UnorderedMap<&'a [u8], u64>,
}

impl<'a> AddedTexts<'a> {
    /// Of texts with a NUL each, the first one at `start` of `.debug_str`.
    pub fn new(texts: &'a [u8], start: u64) -> AddedTexts<'a> {
        let mut places = UnorderedMap::new();
        let mut place = start;
        for text in texts.split_inclusive(|&byte| byte == 0) {
            places.insert(text.strip_suffix(&[0]).unwrap_or(text), place);
            place += text.len() as u64;
        }
        AddedTexts { places }
    }

    /// Where `text` was added.
    pub fn find(&self, text: &[u8]) -> Option<u64> {
        self.places.get(text).copied()
    }

    /// The offset of a text in `.debug_str`.
    pub fn place(&self, text: Text<'_>) -> Option<u64> {
        match text {
            Text::String(offset) => Some(offset),
            Text::Inline(text) => self.find(text),
            Text::LineString(_) => None,
        }
    }
}
