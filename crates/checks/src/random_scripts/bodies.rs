//! Output section statements: the parts before, in and behind their braces.

use super::expressions;
use super::inputs;
use super::making::{Making, Theme};
use super::script::Part;

/// An output section.
pub fn section(making: &mut Making<'_>, name: &str, theme: Theme) -> Part {
    let head = head(making, name, theme);
    let mut body = Vec::new();
    let statements = match theme {
        Theme::Own => making.chance.below(4),
        _ => making.chance.below(3) + 1,
    };
    for at in 0..statements {
        if theme != Theme::Own && (at == 0 || making.chance.happens(45)) {
            body.push(Part::Line(inputs(making, theme)));
        }
        if making.chance.happens(45) {
            body.push(Part::Line(inner(making, theme)));
        }
    }
    if theme == Theme::Zero && making.chance.happens(60) {
        let common = making.chance.one_of(&["*(COMMON)", "*(COMMON)", "*(SORT(COMMON))"]);
        let at = making.chance.below(body.len() + 1);
        body.insert(at, Part::Line(common.to_owned()));
    }
    if head.contains("ONLY_IF") {
        // GNU ld refuses to move the location counter in a section that it does not create.
        body.retain(|part| matches!(part, Part::Line(text) if text.ends_with(')')));
    }
    Part::Block(head, body, tail(making, theme))
}

fn head(making: &mut Making<'_>, name: &str, theme: Theme) -> String {
    let chance = &mut *making.chance;
    let mut head = name.to_owned();
    if chance.happens(8) {
        let address = chance.one_of(&["0x430000", "ALIGN(0x100)", ". + 0x20", "0x440000 + 8"]);
        head += &format!(" {address}");
    }
    let kind = match (chance.below(25), theme) {
        (0, Theme::Code | Theme::Constant | Theme::Data | Theme::Zero | Theme::Own) => " (NOLOAD)",
        (1, Theme::Unloaded | Theme::Own) => " (INFO)",
        (2, Theme::Own | Theme::Data) => " (READONLY)",
        (3, Theme::Unloaded) => " (COPY)",
        _ => "",
    };
    head += kind;
    head += " :";
    if chance.happens(12) {
        head += &format!(" ALIGN({})", 1 << chance.below(10));
    } else if chance.happens(4) {
        head += " ALIGN_WITH_INPUT";
    }
    if chance.happens(6) {
        head += chance.one_of(&[" ONLY_IF_RO", " ONLY_IF_RW"]);
    }
    head
}

fn tail(making: &mut Making<'_>, theme: Theme) -> String {
    let mut tail = Vec::new();
    if theme != Theme::Unloaded {
        let region = making.region();
        if !region.is_empty() {
            tail.push(region);
            if making.chance.happens(25) {
                tail.push(format!("AT>{}", making.chance.one_of(&making.names.regions)));
            }
        }
    }
    if !making.loads.is_empty() && theme != Theme::Unloaded {
        if making.chance.happens(60) {
            let which = match theme {
                Theme::Code | Theme::Constant | Theme::Note => 0,
                _ => making.loads.len() - 1,
            };
            tail.push(format!(":{}", making.loads[which]));
        } else if making.chance.happens(8) {
            tail.push(":NONE".to_owned());
        }
        let other = match theme {
            Theme::Note => "note",
            Theme::Thread | Theme::ThreadZero => "tls",
            _ => "odd",
        };
        if making.others.contains(&other) && making.chance.happens(60) {
            tail.push(format!(":{other}"));
        }
    }
    if making.chance.happens(10) {
        let fill = making.chance.one_of(&["0x90", "0x1234", "0xabcdef", "77", "0x11223344", "0x0"]);
        tail.push(format!("={fill}"));
    }
    tail.join(" ")
}

/// A statement in an output section that takes no input.
fn inner(making: &mut Making<'_>, theme: Theme) -> String {
    let is_zero = theme == Theme::Zero;
    let value = expressions::value(making.chance, &making.names, 2);
    let chance = &mut *making.chance;
    let symbol = chance.below(12);
    let number = chance.one_of(&[1, 2, 4, 8, 0x10, 0x33]);
    let power = 1 << chance.below(8);
    // GNU ld takes sections for thread-local by their name alone, but makes no PT_TLS for them.
    let is_thread = matches!(theme, Theme::Thread | Theme::ThreadZero);
    match chance.below(if is_thread { 7 } else { 20 }) {
        0 => format!("PROVIDE(p{} = {value});", symbol % 4),
        1 => format!("HIDDEN(h{symbol} = {value});"),
        2 => format!("PROVIDE_HIDDEN(q{} = .);", symbol % 4),
        3 | 4 => format!("s{symbol} = .;"),
        5 | 6 => format!("s{symbol} = {value};"),
        7 => format!(". = . + {number};"),
        8 => format!(". += {number};"),
        9 => format!(". = ALIGN({power});"),
        10 => format!(". = ALIGN(., {power});"),
        11 => format!(". = {:#x};", 0x400 + number * 7),
        12 => ". = .;".to_owned(),
        13 => format!("ASSERT({value} >= 0, \"never\");"),
        14 if !is_zero => {
            format!("FILL({})", chance.one_of(&["0x99", "0xabcd", "5", "0x01020304", "0x0"]))
        }
        15..=18 if !is_zero => {
            let word = chance.one_of(&["BYTE", "SHORT", "LONG", "QUAD", "SQUAD"]);
            format!("{word}({value})")
        }
        _ => format!("s{symbol} = . - {number};"),
    }
}

/// A statement of input sections.
fn inputs(making: &mut Making<'_>, theme: Theme) -> String {
    let objects = making.objects.clone();
    let chance = &mut *making.chance;
    let own: &[&str] = match theme {
        Theme::Code => &[".text", ".text.*", ".text*", "*.hot", ".init", "code_?", ".odd.code"],
        Theme::Constant => &[".rodata", ".rodata*", ".rodata.*", "const_c", ".odd.ro", ".ro*"],
        Theme::Data => &[".data", ".data.*", ".data*", "data_c", ".init_array*", ".ctors*"],
        Theme::Thread => &[".tdata", ".tdata*", ".t[d]*"],
        Theme::ThreadZero => &[".tbss", ".tbss*"],
        Theme::Zero => &[".bss", ".bss*", ".bss.*", "bss_c", ".odd.zero", "*zero"],
        Theme::Note => &[".note.a", ".note.?", ".note.[ab]"],
        _ => &[".information", ".other", ".note.loose"],
    };
    let any: &[&str] = &[".odd*", "*_c", ".data", ".rodata", ".text", ".bss", ".b??", ".o*"];
    let mut patterns = Vec::new();
    let count = chance.one_of(&[1, 1, 1, 2, 3]);
    for _ in 0..count {
        let name = if chance.happens(5) { chance.one_of(any) } else { chance.one_of(own) };
        let name = if chance.happens(8) {
            format!("EXCLUDE_FILE({}) {name}", inputs::name(chance.one_of(&objects)))
        } else {
            name.to_owned()
        };
        let sort = chance.one_of(&["SORT", "SORT_BY_NAME", "SORT_BY_ALIGNMENT", "SORT_NONE"]);
        // With several patterns none is sorted, because GNU ld inserts sorted sections among the
        // others.
        patterns.push(match chance.below(14) {
            _ if count > 1 => name,
            0 | 1 => format!("{sort}({name})"),
            2 => format!("SORT_BY_NAME(SORT_BY_ALIGNMENT({name}))"),
            3 => format!("SORT_BY_ALIGNMENT(SORT_BY_NAME({name}))"),
            4 => format!("SORT_BY_INIT_PRIORITY({name})"),
            _ => name,
        });
    }
    let object = inputs::name(chance.one_of(&objects));
    let file = match chance.below(16) {
        0 => object,
        1 => format!("*{object}"),
        2 => "o?.o".to_owned(),
        3 => format!("EXCLUDE_FILE({object}) *"),
        4 => "SORT(*)".to_owned(),
        5 => "*[0-4].o".to_owned(),
        _ => "*".to_owned(),
    };
    let flags = match chance.below(25) {
        0 => "INPUT_SECTION_FLAGS(SHF_ALLOC) ",
        1 => "INPUT_SECTION_FLAGS(!SHF_WRITE & SHF_ALLOC) ",
        _ => "",
    };
    let statement = format!("{flags}{file}({})", patterns.join(" "));
    if chance.happens(12) { format!("KEEP({statement})") } else { statement }
}
