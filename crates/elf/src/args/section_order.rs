//! `--section-order`: mold's language for the order and the addresses of output sections.
//!
//! The list consists of words separated by blanks. A word is the name of a section, or one of the
//! groups `TEXT`, `DATA`, `RODATA` and `BSS` for sections that are not named. `EHDR` and `PHDR` are
//! the file header and the program headers. Other words are `=ADDRESS`, `%ALIGNMENT`, and `!SYMBOL`
//! for a symbol with the current address.

use skald_linking::option_row::parse_number;

/// A list of `--section-order`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SectionOrder {
    /// The words, in the order of addresses.
    pub items: Vec<OrderItem>,
}

/// A word of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderItem {
    /// The file header.
    FileHeader,
    /// The program headers.
    ProgramHeaders,
    /// The output section of this name.
    Section(String),
    /// All output sections of a kind that no word names.
    Group(Group),
    /// The location counter is set to this address.
    Address(u64),
    /// The location counter is aligned to this power of two.
    Align(u64),
    /// A symbol that gets the location counter as its value.
    Symbol(String),
}

/// A kind of output sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Executable sections.
    Text,
    /// Writable sections with content.
    Data,
    /// Sections that are neither writable nor executable.
    Rodata,
    /// Zero-filled sections.
    Bss,
}

impl SectionOrder {
    /// Parses a list; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<SectionOrder, String> {
        let mut items: Vec<OrderItem> = Vec::new();
        for word in text.split_ascii_whitespace() {
            let item = item(word).ok_or_else(|| format!("'{word}'"))?;
            if items.contains(&item) && !matches!(item, OrderItem::Address(_) | OrderItem::Align(_))
            {
                return Err(format!("'{word}' a second time"));
            }
            let is_place = |item: &OrderItem| {
                !matches!(item, OrderItem::Address(_) | OrderItem::Align(_) | OrderItem::Symbol(_))
            };
            if item == OrderItem::FileHeader && items.iter().any(is_place) {
                return Err("EHDR behind something else".to_owned());
            }
            items.push(item);
        }
        if items.is_empty() { Err("nothing".to_owned()) } else { Ok(SectionOrder { items }) }
    }

    /// Whether the list contains the program headers, so that they are loaded.
    pub fn has_program_headers(&self) -> bool {
        self.items.contains(&OrderItem::ProgramHeaders)
    }

    /// Symbols that the list defines.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            OrderItem::Symbol(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

fn item(word: &str) -> Option<OrderItem> {
    Some(match word {
        "EHDR" => OrderItem::FileHeader,
        "PHDR" => OrderItem::ProgramHeaders,
        "TEXT" => OrderItem::Group(Group::Text),
        "DATA" => OrderItem::Group(Group::Data),
        "RODATA" => OrderItem::Group(Group::Rodata),
        "BSS" => OrderItem::Group(Group::Bss),
        _ => match (word.as_bytes()[0], word.get(1..)?) {
            (b'=', address) => OrderItem::Address(parse_number(address)?),
            (b'%', align) => {
                OrderItem::Align(parse_number(align).filter(|align| align.is_power_of_two())?)
            }
            (b'!', "") => return None,
            (b'!', name) => OrderItem::Symbol(name.to_owned()),
            (b'.' | b'_', _) => OrderItem::Section(word.to_owned()),
            (byte, _) if byte.is_ascii_alphanumeric() => OrderItem::Section(word.to_owned()),
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_kinds() {
        let order = SectionOrder::parse("=0x1000 EHDR %16 !start .text  TEXT").expect("a list");
        assert_eq!(
            order.items,
            [
                OrderItem::Address(0x1000),
                OrderItem::FileHeader,
                OrderItem::Align(16),
                OrderItem::Symbol("start".to_owned()),
                OrderItem::Section(".text".to_owned()),
                OrderItem::Group(Group::Text),
            ]
        );
        assert_eq!(order.symbols().collect::<Vec<_>>(), ["start"]);
        assert!(!order.has_program_headers());
    }

    #[test]
    fn bad_words() {
        for bad in ["", "=", "=x", "%3", "%0", "!", "TEXT EHDR", "TEXT TEXT", "*", "é"] {
            assert!(SectionOrder::parse(bad).is_err(), "{bad}");
        }
    }
}
