//! Damage that needs no knowledge of the format, and damage of archives and texts.

use super::{Damage, Dice, Edit};

/// Damages of any file: other files in its place, cuts, and changed bytes.
pub fn any_damage(whole: &[u8]) -> Vec<Damage> {
    let replace = |what: &str, bytes: &[u8]| Damage {
        what: what.to_owned(),
        edits: vec![Edit::Replace(bytes.to_vec())],
    };
    let mut all = vec![
        replace("empty", b""),
        replace("one byte", b"\x7f"),
        replace("only the magic", b"\x7fELF"),
        replace("zeros", &[0; 4096]),
        replace("ones", &[0xff; 4096]),
    ];
    let mut dice = Dice::new(whole.len() as u64);
    for _ in 0..40 {
        all.push(Damage::truncate(dice.below(whole.len())));
    }
    for _ in 0..200 {
        let at = dice.below(whole.len());
        let byte = [0, 0xff, 0x80, 0x7f, 1, whole.get(at).map_or(0, |b| b ^ 0x20)][dice.below(6)];
        all.push(Damage::write(format!("{byte:#04x} at {at:#x}"), at, &[byte]));
    }
    all
}

/// Damages of archives: header fields of members, and the index.
pub fn archive_damage(whole: &[u8]) -> Vec<Damage> {
    let is_thin = whole.starts_with(b"!<thin>");
    let mut all = Vec::new();
    let mut at = 8;
    while at + 60 <= whole.len() {
        let header = &whole[at..at + 60];
        for (field, start, len) in [("name", 0, 16), ("size", 48, 10), ("end", 58, 2)] {
            for text in [
                "",
                "0",
                "1",
                "7",
                "/",
                "//",
                "/0",
                "/9999999",
                "/-1",
                "#1/20",
                "#1/999999999",
                "9999999999",
                "4294967295",
                "-1",
                "0x10",
                "/:",
                "/1:99999999",
                "\0",
                "\n",
                "abc",
            ] {
                let mut bytes = text.as_bytes().to_vec();
                bytes.resize(len, b' ');
                let what = format!("member at {at:#x}: {field} is {text:?}");
                all.push(Damage::write(what, at + start, &bytes));
            }
        }
        all.push(Damage::truncate(at));
        all.push(Damage::truncate(at + 59));
        all.push(Damage::truncate(at + 60));
        let size: usize = String::from_utf8_lossy(&header[48..58]).trim().parse().unwrap_or(0);
        let is_own = matches!(&header[..2], b"/ " | b"//" | b"/S");
        if at == 8 && header.starts_with(b"/ ") {
            for word in (at + 60..(at + 60 + size).min(at + 200)).step_by(4) {
                for value in [0u32, 1, 7, 0x7fff_ffff, u32::MAX, whole.len() as u32] {
                    let what = format!("index word at {word:#x} is {value:#x}");
                    all.push(Damage::write(what, word, &value.to_be_bytes()));
                }
            }
        }
        at += 60 + if is_thin && !is_own { 0 } else { size };
        at += at % 2;
    }
    all
}

/// Damages of texts: lines and characters are missing, doubled or replaced.
pub fn text_damage(whole: &[u8]) -> Vec<Damage> {
    let mut all = Vec::new();
    let replace = |what: String, bytes: Vec<u8>| Damage { what, edits: vec![Edit::Replace(bytes)] };
    for at in 0..whole.len() {
        let (before, after) = whole.split_at(at);
        all.push(Damage::truncate(at));
        all.push(replace(format!("without {at}"), [before, &after[1..]].concat()));
        for text in ["{", "}", "(", ")", "\"", "*", "\\", ";", "/*", "@", "\0", "-", "["] {
            let bytes = [before, text.as_bytes(), after].concat();
            all.push(replace(format!("{text:?} at {at}"), bytes));
        }
    }
    for text in ["(", "{", "[", "INCLUDE ", "x = (", "- ", "! ", "extern \"C\" {", "?:", "~"] {
        all.push(replace(format!("100,000 times {text:?}"), text.repeat(100_000).into_bytes()));
        let last = [whole, text.repeat(100_000).as_bytes()].concat();
        all.push(replace(format!("ends with 100,000 times {text:?}"), last));
    }
    all
}

/// Damages that combine a few of `all`.
pub fn pairs(all: &[Damage]) -> Vec<Damage> {
    let mut dice = Dice::new(all.len() as u64);
    let mut pairs = Vec::new();
    for _ in 0..all.len() / 4 {
        let parts: Vec<&Damage> =
            (0..2 + dice.below(3)).map(|_| &all[dice.below(all.len())]).collect();
        pairs.push(Damage {
            what: parts.iter().map(|d| d.what.as_str()).collect::<Vec<_>>().join("; "),
            edits: parts.iter().flat_map(|d| d.edits.clone()).collect(),
        });
    }
    pairs
}
