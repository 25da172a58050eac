//! Scripts with `MEMORY` and with `PHDRS`: those that GNU ld prints, with a region or program
//! headers behind each section.

use super::features::Shape;
use crate::Result;

/// From this section of GNU ld's scripts on, all that is loaded is writable.
const FIRST_WRITABLE: &str = ".tdata";

/// Sections that are not loaded, by how their names begin.
const NOT_LOADED: [&str; 9] = [
    "/DISCARD/",
    ".comment",
    ".debug",
    ".gnu.attributes",
    ".gnu.build",
    ".line",
    ".mdebug",
    ".note.renesas",
    ".stab",
];

/// `script` with a region for code and one for data.
pub fn with_regions(script: &str) -> Result<String> {
    let start = text_start(script)?;
    // Behind a page in which the headers are.
    let (code, data) = (start + 0x1000, start + 0x100_1000);
    let memory = format!(
        "MEMORY {{\n  code (rx) : ORIGIN = {code:#x}, LENGTH = 16M\n  \
         data (rw) : ORIGIN = {data:#x}, LENGTH = 16M\n}}\n"
    );
    Ok(memory + &marked(script, |_, kind| format!(" >{kind}"))?)
}

/// `script` with the program headers of a shape.
pub fn with_headers(script: &str, shape: Shape) -> Result<String> {
    let has_loader = !shape.is_static() && shape != Shape::Shared;
    // Name, statement and section of each; an empty one of some kinds ends the program.
    let special = [
        ("interp", "PT_INTERP", ".interp", has_loader),
        ("tls", "PT_TLS", ".tdata .tbss", true),
        ("dynamic", "PT_DYNAMIC", ".dynamic", shape != Shape::Static),
        ("frames", "PT_GNU_EH_FRAME", ".eh_frame_hdr", shape != Shape::Static),
    ];
    let special = special.into_iter().filter(|(.., is_there)| *is_there);
    // The one of the interpreter has to come before what is loaded.
    let mut headers = "PHDRS {\n  headers PT_PHDR PHDRS;\n".to_owned();
    let mut further = "  code PT_LOAD FILEHDR PHDRS;\n  data PT_LOAD;\n".to_owned();
    for (name, statement, ..) in special.clone() {
        let place = if name == "interp" { &mut headers } else { &mut further };
        place.push_str(&format!("  {name} {statement};\n"));
    }
    let marked = marked(script, |section, kind| {
        let mut words = format!(" :{kind}");
        for (name, _, sections, _) in special.clone() {
            if sections.split(' ').any(|one| one == section) {
                words.push_str(&format!(" :{name}"));
            }
        }
        words
    })?;
    Ok(format!("{headers}{further}  stack PT_GNU_STACK FLAGS (6);\n}}\n{marked}"))
}

/// The address at which the text segment begins by default.
fn text_start(script: &str) -> Result<u64> {
    let (_, behind) =
        script.split_once("SEGMENT_START(\"text-segment\", ").ok_or("no start of the text")?;
    let (number, _) = behind.split_once(')').ok_or("no end of an expression")?;
    let digits = number.strip_prefix("0x").unwrap_or(number);
    u64::from_str_radix(digits, 16).map_err(|e| format!("{number}: {e}"))
}

/// `script` with `mark` behind each section that is loaded; it gets the name, and whether `code` or
/// `data` is in it.
fn marked(script: &str, mark: impl Fn(&str, &str) -> String) -> Result<String> {
    const STATEMENT: &str = "SECTIONS\n{";
    let (before, mut rest) = script.split_once(STATEMENT).ok_or("a script without sections")?;
    let mut text = format!("{before}{STATEMENT}");
    let (mut depth, mut kind) = (1, "code");
    let (mut name, mut statement) = (String::new(), String::new());
    while depth > 0 {
        if let Some(end) = rest.strip_prefix("/*").and_then(|comment| comment.find("*/")) {
            let (comment, behind) = rest.split_at(end + 4);
            text.push_str(comment);
            rest = behind;
            continue;
        }
        let next = rest.chars().next().ok_or("a script without an end")?;
        rest = &rest[next.len_utf8()..];
        text.push(next);
        match next {
            '{' => {
                depth += 1;
                if depth == 2 {
                    name = section_of(&statement);
                }
                statement.clear();
            }
            '}' => {
                depth -= 1;
                if depth == 1 && !NOT_LOADED.iter().any(|start| name.starts_with(start)) {
                    kind = if name == FIRST_WRITABLE { "data" } else { kind };
                    text.push_str(&mark(&name, kind));
                }
            }
            ';' => statement.clear(),
            _ if depth == 1 => statement.push(next),
            _ => {}
        }
    }
    Ok(text + rest)
}

/// The name of the section that a statement begins; what fills the one before may come first.
fn section_of(statement: &str) -> String {
    let mut words = statement.split_whitespace();
    words.find(|word| !word.starts_with('=')).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Shape, with_headers, with_regions};

    const SCRIPT: &str = "SECTIONS\n{\n  . = SEGMENT_START(\"text-segment\", 0x400000);\n  \
        .interp : { *(.interp) }\n  .text :\n  {\n    /* } */ *(.text)\n  } =0x90\n  \
        .rodata : { *(.rodata) }\n  .tdata : { *(.tdata) }\n  .bss : { *(.bss) }\n  \
        .comment 0 : { *(.comment) }\n}\n";

    #[test]
    fn regions_are_behind_sections() {
        let text = with_regions(SCRIPT).unwrap();
        assert!(text.starts_with("MEMORY {\n  code (rx) : ORIGIN = 0x401000, LENGTH"));
        for line in [
            "  } >code =0x90",
            ".rodata) } >code",
            ".tdata) } >data",
            ".bss) } >data",
            ".comment) }",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line}: {text}");
        }
    }

    #[test]
    fn headers_are_those_of_the_shape() {
        let text = with_headers(SCRIPT, Shape::Pie).unwrap();
        assert!(text.contains("*(.interp) } :code :interp\n"), "{text}");
        assert!(text.contains("*(.tdata) } :data :tls\n"), "{text}");
        assert!(!with_headers(SCRIPT, Shape::Static).unwrap().contains("interp PT_INTERP"));
    }
}
