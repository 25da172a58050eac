//! Additions of scripts with seeds from [`FIRST`] on: further scripts and options in any order,
//! `INSERT`, types, descending addresses, thread-local zeros anywhere, archives, and inputs and
//! discards of every kind.

use super::expressions::{self, Names};
use super::inputs;
use super::script::{More, Part, Script};
use crate::random::Chance;

/// The first seed of scripts that have all of this.
pub const FIRST: u64 = 1 << 20;

/// Adds to a script what `chance` decides.
pub fn widen(chance: &mut Chance, script: &mut Script) {
    let names = Names {
        sections: vec![".text", ".data", ".own"],
        regions: Vec::new(),
        symbols: script.objects.iter().map(|&object| inputs::symbol(object)).collect(),
    };
    for object in inputs::OBJECTS..inputs::ALL {
        if chance.happens(15) {
            script.objects.push(object);
        }
    }
    for _ in 0..chance.below(3) {
        let more = more(chance, &names, script.more.len());
        script.more.push(more);
    }
    let Some(Part::Block(_, body, _)) = script.parts.iter_mut().find(|part| is_layout(part)) else {
        return;
    };
    if chance.happens(25) {
        let at = chance.below(body.len());
        body.insert(at, statement(chance, &names));
    }
    if chance.happens(20) {
        let body: Vec<&mut Part> = body.iter_mut().filter(|part| is_plain(part)).collect();
        let count = body.len().max(1);
        let chosen = chance.below(count);
        for (_, part) in body.into_iter().enumerate().filter(|&(at, _)| at == chosen) {
            state_type(chance, part);
        }
    }
    if chance.happens(20) {
        let discard = chance.one_of(&[
            "*(.rela.*)",
            "*(COMMON)",
            "*(.order)",
            "*(.text.p)",
            "*(.text.copy)",
            "*(.rodata.str1.1)",
            "*(.comment .note.GNU-stack)",
            "*(.init_array*)",
            "*members.a:*(.data)",
        ]);
        let at = chance.below(body.len());
        let lines = vec![Part::Line(discard.to_owned())];
        body.insert(at, Part::Block("/DISCARD/ :".to_owned(), lines, String::new()));
    }
}

fn is_layout(part: &Part) -> bool {
    matches!(part, Part::Block(head, ..) if head == "SECTIONS")
}

/// Whether a part is an output section without a keyword in parentheses.
fn is_plain(part: &Part) -> bool {
    match part {
        Part::Block(head, ..) => {
            head.ends_with(" :") && !head.contains('(') && !head.starts_with(['/', 'O'])
        }
        Part::Line(_) | Part::Kept(_) => false,
    }
}

/// Gives an output section a type.
fn state_type(chance: &mut Chance, part: &mut Part) {
    let Part::Block(head, ..) = part else { return };
    let kind = chance.one_of(&[
        "(TYPE = SHT_PROGBITS)",
        "(TYPE = SHT_NOTE)",
        "(TYPE = SHT_NOBITS)",
        "(TYPE = SHT_INIT_ARRAY)",
        "(TYPE = 0x70001234)",
        "(READONLY)",
        "(READONLY (TYPE = SHT_NOTE))",
        "(OVERLAY)",
        "(INFO)",
        "(DSECT)",
    ]);
    let name = head.trim_end_matches(" :").to_owned();
    *head = format!("{name} {kind} :");
}

/// A statement among the output sections.
fn statement(chance: &mut Chance, names: &Names) -> Part {
    let section = |name: &str, inputs: &str, tail: &str| {
        let lines = vec![Part::Line(inputs.to_owned())];
        Part::Block(format!("{name} :"), lines, tail.to_owned())
    };
    match chance.below(12) {
        0 => Part::Line(format!(". = {};", chance.one_of(&["0x8000", "0x9000", "0x300000"]))),
        1 => Part::Line(". = . - 0x100;".to_owned()),
        2 => section(".low 0x2000", "*(.data.y .data.N)", ""),
        3 => section(".tbss", "*(.tbss)", ""),
        4 => section(".tdata", "*(.tdata)", ""),
        5 => section(".order", "*(.order)", ""),
        6 => section(".order", "*(.text.q .order)", ""),
        7 => section(".merged", "*(.rodata.str1.1 .rodata.cst4)", ""),
        8 => section(".members", "*members.a:member.o(.data .text)", ""),
        9 => section(".thread", "*(.tdata .tbss .tcommon)", ""),
        10 => {
            let value = expressions::value(chance, names, 2);
            Part::Line(format!("s{} = {value} + m0;", chance.below(12)))
        }
        _ => section(".copies", "*(.text.copy) LONG(g20_0)", ""),
    }
}

/// A further option, archive or script; `number` is that of those before it.
fn more(chance: &mut Chance, names: &Names, number: usize) -> More {
    let is_before = chance.happens(50);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let option = |text: &str| More { is_before, words: words(&[text]), script: None };
    let file = |words: Vec<String>, text: String| {
        let script = Some((format!("more{number}.ld"), text));
        More { is_before, words, script }
    };
    let symbol = chance.below(12);
    match chance.below(10) {
        0 => option(&format!("--defsym=s{symbol}={:#x}", chance.below(0x300))),
        1 => option(&format!("--defsym=s{symbol}=s{}+4", (symbol + 1) % 12)),
        2 => More { is_before: false, words: words(&["-u", "m0", inputs::ARCHIVE]), script: None },
        3 => More { is_before: false, words: words(&["-u", "m1", inputs::ARCHIVE]), script: None },
        4 => {
            let value = expressions::value(chance, names, 1);
            file(Vec::new(), format!("s{symbol} = {value};\n"))
        }
        5 => file(Vec::new(), format!("PROVIDE(p{} = {});\n", symbol % 4, chance.below(99))),
        _ => {
            let place = chance.one_of(&["AFTER", "BEFORE"]);
            let anchor = chance.one_of(&[".text", ".data", ".rodata", ".bss", ".own"]);
            let body = chance.one_of(&[
                "*(.odd.rw)",
                "*(.odd.ro) LONG(3)",
                "*(.odd.zero)",
                "BYTE(1)",
                ". += 8;",
                "*(.init_array*) s1 = .;",
                "*(.order)",
                "*(.note.b)",
                "*(.other)",
            ]);
            let name = chance.one_of(&[".ins", ".data.ins", ".text.ins", ".rodata", ".note.ins"]);
            let text = format!("SECTIONS {{ {name} : {{ {body} }} }} INSERT {place} {anchor};\n");
            file(words(&["-T"]), text)
        }
    }
}
