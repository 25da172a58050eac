//! Texts that were added to `.debug_str`, because `.debug_names` refers to names by their offset
//! there.

use crate::names::Text;
use skald_core::unordered::UnorderedMap;

/// The name of an unnamed namespace in the table (DWARF 5, section 6.1.1.1).
pub const ANONYMOUS: &[u8] = b"(anonymous namespace)";

/// The places of added texts.
pub struct AddedTexts<'a> {
    places: UnorderedMap<&'a [u8], u64>,
}

impl<'a> AddedTexts<'a> {
    /// Finds `texts`, each with its NUL, the first one at `start` of `.debug_str`.
    pub fn new(texts: &'a [u8], start: u64) -> AddedTexts<'a> {
        let mut places = UnorderedMap::new();
        let mut place = start;
        for text in texts.split_inclusive(|&byte| byte == 0) {
            places.insert(text.strip_suffix(&[0]).unwrap_or(text), place);
            place += text.len() as u64;
        }
        AddedTexts { places }
    }

    /// The offset at which `text` was added.
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
