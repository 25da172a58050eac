//! Expressions of scripts by chance.

use crate::random::Chance;

/// The names that expressions may use.
pub struct Names {
    /// Output sections.
    pub sections: Vec<&'static str>,
    /// Memory regions.
    pub regions: Vec<&'static str>,
    /// Symbols that objects define.
    pub symbols: Vec<String>,
}

/// An expression that has a value everywhere; `depth` is how many operators may be nested.
pub fn value(chance: &mut Chance, names: &Names, depth: usize) -> String {
    if depth == 0 || chance.happens(35) {
        return leaf(chance, names);
    }
    let a = value(chance, names, depth - 1);
    let b = value(chance, names, depth - 1);
    match chance.below(20) {
        0 => format!("MAX({a}, {b})"),
        1 => format!("MIN({a}, {b})"),
        2 => format!("ABSOLUTE({a})"),
        3 => format!("LOG2CEIL({a})"),
        4 => format!("ALIGN({a}, {})", 1 << chance.below(10)),
        5 => format!("ALIGN({})", 1 << chance.below(10)),
        6 => format!("({a} ? {b} : {})", chance.below(50)),
        7 => format!("({a} - {b})"),
        8 => format!("({a} & {b})"),
        9 => format!("({a} | {b})"),
        10 => format!("({a} * {})", chance.below(5)),
        11 => format!("({a} / {})", chance.below(5) + 1),
        12 => format!("({a} {} {})", chance.one_of(&["<<", ">>"]), chance.below(9)),
        13 => format!("({a} {} {b})", chance.one_of(&["==", "!=", "<", "<=", ">", ">="])),
        14 => format!("{}({a})", chance.one_of(&["-", "~", "!"])),
        15 => format!("({a} {} {b})", chance.one_of(&["&&", "||"])),
        16 => format!("({a} % {})", chance.below(60) + 1),
        _ => format!("({a} + {b})"),
    }
}

fn leaf(chance: &mut Chance, names: &Names) -> String {
    let number = chance.one_of(&["0", "1", "4", "0x10", "077", "1K", "0x12345", "2M"]).to_owned();
    match chance.below(16) {
        0..3 => ".".to_owned(),
        3 | 4 => format!("s{}", chance.below(12)),
        5 if !names.sections.is_empty() => format!("SIZEOF({})", chance.one_of(&names.sections)),
        6 if !names.sections.is_empty() => format!("ADDR({})", chance.one_of(&names.sections)),
        7 if !names.sections.is_empty() => format!("LOADADDR({})", chance.one_of(&names.sections)),
        8 if !names.sections.is_empty() => format!("ALIGNOF({})", chance.one_of(&names.sections)),
        9 if !names.regions.is_empty() => format!("ORIGIN({})", chance.one_of(&names.regions)),
        10 if !names.regions.is_empty() => format!("LENGTH({})", chance.one_of(&names.regions)),
        11 => names.symbols[chance.below(names.symbols.len())].clone(),
        12 => format!("DEFINED({})", chance.one_of(&["s0", "s1", "s2", "p1", "nobody"])),
        13 if chance.happens(30) => "SIZEOF_HEADERS".to_owned(),
        13 => format!("CONSTANT({})", chance.one_of(&["MAXPAGESIZE", "COMMONPAGESIZE"])),
        14 if chance.happens(30) => {
            format!("SEGMENT_START(\"{}-segment\", {number})", chance.one_of(&["text", "data"]))
        }
        _ => number,
    }
}
