//! `--print-manual`: the manual page in the macros of man(7), made from the rows.

use super::{argument, spellings};
use crate::args::rows::Row;
use crate::args::rows::{THEMES, keywords};
use skald_linking::option_row::Status;

/// The manual page, in troff.
pub fn page() -> String {
    let mut page =
        format!(".TH SKALD 1 \"\" \"skald {}\" \"User commands\"\n", env!("CARGO_PKG_VERSION"));
    // Lists of words are long, and have few spaces that could be wider.
    page += ".ad l\n";
    page += ".SH NAME\nskald \\- a linker for ELF\n";
    page += ".SH SYNOPSIS\n.B skald\n.RI [ options ] \" file\" ...\n.br\n.B skald \\-run\n";
    page += ".IR command \" [\" argument ...]\n";
    page += ".SH DESCRIPTION\n";
    page += &paragraph(
        "skald joins object files, archives and shared libraries to a program or a shared \
         library. It understands the options of GNU ld, lld, mold and wild and can stand in for \
         each of them. Compilers are told to use it by the name of a directory that holds it as \
         ld (-B), or by skald -run and the command that builds.",
    );
    page += &paragraph(
        "Long options may have one dash or two, except that those which begin with o need two. \
         Their argument follows after = or as the next word.",
    );
    page += ".SH OPTIONS\n";
    for theme in THEMES {
        page += &format!(".SS {}\n", theme.title);
        theme.rows.iter().for_each(|row| page += &entry(row, ""));
    }
    page += ".SS Words of \\-z\n";
    keywords().for_each(|row| page += &entry(row, "-z "));
    page += ".SS Response files\n";
    page += ".TP\n.BI @ FILE\nRead options from FILE, quoted as for a shell or, with ";
    page += &format!("{}, as for Windows.\n", text("--rsp-quoting=windows"));
    page += ".SH REPORTS\n";
    page += &paragraph(
        "The page that --report=FILE.html writes shows what the output is made of, as a treemap; \
         what \
         garbage collection, folding and merging took away; where the time went; which shared \
         libraries are needed, and by whom; for each symbol what keeps it alive and who refers to \
         it; and what has changed since another report. It holds all that it needs and opens in a \
         browser. --report=FILE.json writes the same data for programs.",
    );
    page += ".SH EXIT STATUS\n0 if the output is whole and right, 1 if there was an error.\n";
    page += ".SH ENVIRONMENT\n.TP\n.B LD_RUN_PATH\nTaken for \\-rpath if there is none.\n";
    page += ".TP\n.B MAKEFLAGS\nNames the job server of make, which is asked for threads.\n";
    page += ".TP\n.B SKALD_MEMORY_LIMIT\nTaken for \\-\\-memory\\-limit if there is none.\n";
    page += ".SH SEE ALSO\n.BR ld (1),\n.BR ld.so (8),\n.BR elf (5)\n";
    page
}

fn entry(row: &Row, prefix: &str) -> String {
    let mut names = spellings(row.names, prefix, &argument(row, !prefix.is_empty()));
    if !row.off.is_empty() {
        names = format!("{names}, {}", spellings(row.off, prefix, ""));
    }
    // A list of words may be longer than a line.
    let names = text(&names).replace('|', "|\\:");
    let mut entry = format!(".TP\n.B {names}\n{}.\n", text(row.help));
    match row.status {
        Status::Unsupported => entry += "Not supported yet.\n",
        Status::Lto => entry += "For link-time optimization, by a compiler plugin.\n",
        Status::Effective | Status::Silent => {}
    }
    if !row.peers.is_empty() {
        entry += &format!("Peers: {}.\n", text(row.peers));
    }
    entry
}

fn paragraph(words: &str) -> String {
    format!(".PP\n{}\n", text(words))
}

/// `words` with characters escaped that troff treats specially.
fn text(words: &str) -> String {
    let escaped = words.replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq");
    if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_fits_a_line() {
        const LINE: usize = 70;
        let page = page();
        let words = page.split(|c: char| c.is_whitespace()).flat_map(|word| word.split("\\:"));
        let long: Vec<&str> = words.filter(|word| word.len() > LINE).collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
