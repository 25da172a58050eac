//! The report as JSON: objects of columns, each an array. The text is split into pieces that are
//! written in parallel and then concatenated in order.

use crate::data::{NONE, ReferenceLists, Removed, Report};
use skald_core::unordered::UnorderedMap;
use skald_core::{demangle, in_order};
use std::io;
use std::time::Duration;

/// Version of the schema in `docs/report.md`.
const VERSION: u32 = 1;

/// Writes the whole text.
///
/// # Errors
/// Those of `text`.
pub fn write(report: &Report, text: &mut (impl io::Write + Send)) -> io::Result<()> {
    let pieces = pieces(report);
    in_order::write(pieces.len(), text, |at, out| pieces[at](out))?;
    text.write_all(b"\n")
}

/// Appends a piece to a text.
pub type Piece<'a> = Box<dyn Fn(&mut Vec<u8>) + Send + Sync + 'a>;

/// The pieces of the text. How the text is split depends only on the report.
pub fn pieces(report: &Report) -> Vec<Piece<'_>> {
    let symbols = || report.symbols.iter().flatten();
    let mut pieces: Vec<Piece<'_>> = vec![
        Box::new(|out| head(report, out)),
        Box::new(|out| objects(report, out)),
        Box::new(|out| {
            let removed = report.removed.iter();
            gone(out, ",\n\"removed\":", removed);
            out.push(b'}');
        }),
        Box::new(|out| {
            gone(out, ",\n\"folded\":", report.folded.iter().map(|folded| &folded.0));
            column(out, ",\"leader\":", report.folded.iter().map(|folded| row(folded.1)));
            column(out, "},\n\"merged\":{\"section\":", report.merged.iter().map(|m| m.0.into()));
            column(out, ",\"input_size\":", report.merged.iter().map(|m| clamp(m.1)));
            out.push(b'}');
        }),
        Box::new(|out| {
            column(out, ",\n\"sections\":{\"name\":", report.sections.iter().map(|s| row(s.name)));
            column(out, ",\n\"object\":", report.sections.iter().map(|s| row(s.object)));
            column(out, ",\n\"output\":", report.sections.iter().map(|s| row(s.output)));
        }),
        Box::new(|out| {
            let sections = &report.sections;
            column(out, ",\n\"output_offset\":", sections.iter().map(|s| clamp(s.output_offset)));
        }),
        Box::new(|out| {
            column(out, ",\n\"size\":", report.sections.iter().map(|s| clamp(s.size)));
            out.push(b'}');
        }),
        Box::new(move |out| {
            column(out, ",\n\"symbols\":{\"section\":", symbols().map(|s| row(s.section)));
        }),
        Box::new(move |out| {
            column(out, ",\n\"section_offset\":", symbols().map(|s| clamp(s.section_offset)));
        }),
        Box::new(move |out| {
            column(out, ",\n\"size\":", symbols().map(|s| clamp(s.size)));
            let kinds: Vec<u8> = symbols().map(|s| s.kind).collect();
            out.extend_from_slice(b",\n\"kind\":");
            string(out, &kinds);
            out.extend_from_slice(b",\n\"name\":[");
        }),
    ];
    pieces.extend(names(report));
    pieces.push(Box::new(|out| {
        let counts = report.references.iter().flat_map(|part| &part.counts);
        column(out, "]},\n\"references\":{\"count\":", counts.map(|&count| count.into()));
        out.extend_from_slice(b",\n\"distance\":[");
    }));
    pieces.extend(distances(report));
    pieces.push(Box::new(|out| roots(report, out)));
    pieces.push(Box::new(|out| libraries(report, out)));
    pieces.push(Box::new(|out| timeline(report, out)));
    pieces
}

fn head(report: &Report, out: &mut Vec<u8>) {
    let output = &report.output;
    let text = format!(
        "{{\"format\":\"skald-report\",\"version\":{VERSION},\n\"linker\":\"skald \
         {}\",\n\"output\":{{\"path\":",
        env!("CARGO_PKG_VERSION")
    );
    out.extend_from_slice(text.as_bytes());
    string(out, output.path.as_bytes());
    let text = format!(
        ",\"kind\":\"{}\",\"file_size\":{},\"collects_garbage\":{},\"folds\":{}}}",
        output.kind, output.file_size, output.collects_garbage, output.folds
    );
    out.extend_from_slice(text.as_bytes());
    let sections = &report.output_sections;
    strings(out, ",\n\"output_sections\":{\"name\":", sections.iter().map(|s| &s.name[..]));
    column(out, ",\"address\":", sections.iter().map(|s| clamp(s.address)));
    column(out, ",\"size\":", sections.iter().map(|s| clamp(s.size)));
    column(out, ",\"in_file\":", sections.iter().map(|s| s.in_file.into()));
    column(out, ",\"loaded\":", sections.iter().map(|s| s.is_loaded.into()));
    column(out, ",\"made\":", sections.iter().map(|s| s.is_made.into()));
    out.push(b'}');
}

fn objects(report: &Report, out: &mut Vec<u8>) {
    let libraries = &report.libraries;
    strings(out, ",\n\"libraries\":{\"name\":", libraries.iter().map(|l| l.name.as_bytes()));
    column(out, ",\"archive\":", libraries.iter().map(|l| l.is_archive.into()));
    let objects = &report.objects;
    strings(out, "},\n\"objects\":{\"name\":", objects.iter().map(|o| o.name.as_bytes()));
    column(out, ",\n\"library\":", objects.iter().map(|o| row(o.library)));
    let duplicates = objects.iter().map(|o| o.duplicate_sections.into());
    column(out, ",\n\"duplicate_sections\":", duplicates);
    column(out, ",\n\"duplicate_bytes\":", objects.iter().map(|o| clamp(o.duplicate_bytes)));
    strings(out, "},\n\"section_names\":", report.section_names.iter().map(|name| &name[..]));
}

/// Writes a list of sections that are not in the output, without the closing brace.
fn gone<'a>(out: &mut Vec<u8>, key: &str, rows: impl Iterator<Item = &'a Removed> + Clone) {
    out.extend_from_slice(key.as_bytes());
    column(out, "{\"object\":", rows.clone().map(|r| row(r.object)));
    column(out, ",\n\"size\":", rows.clone().map(|r| clamp(r.size)));
    strings(out, ",\n\"name\":", rows.map(|r| r.name));
}

/// Approximate number of symbols whose names form one piece.
const CHUNK: usize = 1 << 14;

/// The names of the symbols.
fn names(report: &Report) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut start, mut count, mut is_first) = (0, 0, true);
    for (end, part) in (1..).zip(&report.symbols) {
        count += part.len();
        if count < CHUNK && (end < report.symbols.len() || count == 0) {
            continue;
        }
        let symbols = &report.symbols[start..end];
        let separator: &[u8] = if is_first { b"" } else { b"," };
        pieces.push(Box::new(move |out| {
            let names = || symbols.iter().flatten().map(|symbol| symbol.name);
            out.reserve(names().map(|name| name.len() + 3).sum::<usize>() + 1);
            out.extend_from_slice(separator);
            separated(out, names(), string);
        }));
        (start, count, is_first) = (end, 0, false);
    }
    pieces
}

/// Targets of references as differences: the first of a section relative to the section's row, the
/// others relative to the previous target.
fn distances(report: &Report) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for part in report.references.iter().filter(|part| !part.targets.is_empty()) {
        let separator: &[u8] = if pieces.is_empty() { b"" } else { b"," };
        pieces.push(Box::new(move |out| {
            out.reserve(part.targets.len() * 5);
            out.extend_from_slice(separator);
            separated(out, part.distances(), number);
        }));
    }
    pieces
}

impl ReferenceLists {
    fn distances(&self) -> impl Iterator<Item = i64> {
        let mut targets = &self.targets[..];
        let sections = i64::from(self.first)..;
        sections.zip(&self.counts).flat_map(move |(section, &count)| {
            let (own, rest) = targets.split_at(count as usize);
            targets = rest;
            let mut before = section;
            own.iter().map(move |&target| {
                let distance = i64::from(target) - before;
                before = i64::from(target);
                distance
            })
        })
    }
}

/// The end of the references, and the sections that marking started from.
fn roots(report: &Report, out: &mut Vec<u8>) {
    out.push(b']');
    let mut numbers: UnorderedMap<&str, i64> = UnorderedMap::default();
    let mut reasons: Vec<&[u8]> = Vec::new();
    let of_roots: Vec<i64> = report
        .roots
        .iter()
        .map(|&(_, reason)| {
            *numbers.entry(reason).or_insert_with(|| {
                reasons.push(reason.as_bytes());
                reasons.len() as i64 - 1
            })
        })
        .collect();
    column(out, "},\n\"roots\":{\"section\":", report.roots.iter().map(|root| row(root.0)));
    column(out, ",\n\"reason\":", of_roots.into_iter());
    strings(out, "},\n\"root_reasons\":", reasons.into_iter());
}

fn libraries(report: &Report, out: &mut Vec<u8>) {
    let needed = &report.needed;
    strings(out, ",\n\"shared_libraries\":{\"name\":", needed.iter().map(|n| &n.name[..]));
    strings(out, ",\"path\":", needed.iter().map(|n| n.path.as_bytes()));
    column(out, ",\"needed\":", needed.iter().map(|n| n.is_needed.into()));
    column(out, ",\"as_needed\":", needed.iter().map(|n| n.as_needed.into()));
    strings(out, "},\n\"imports\":{\"name\":", report.imports.iter().map(|import| import.0));
    column(out, ",\n\"library\":", report.imports.iter().map(|import| row(import.1)));
    out.push(b'}');
}

fn timeline(report: &Report, out: &mut Vec<u8>) {
    let spans = &report.timeline;
    column(out, ",\n\"timeline\":{\"elapsed\":", std::iter::once(microseconds(report.elapsed)));
    strings(out, ",\n\"name\":", spans.iter().map(|span| span.name.as_bytes()));
    strings(out, ",\n\"detail\":", spans.iter().map(|span| span.detail.as_bytes()));
    column(out, ",\n\"thread\":", spans.iter().map(|span| span.thread.into()));
    column(out, ",\n\"depth\":", spans.iter().map(|span| span.depth.map_or(-1, i64::from)));
    column(out, ",\n\"begin\":", spans.iter().map(|span| microseconds(span.begin)));
    column(out, ",\n\"duration\":", spans.iter().map(|span| microseconds(span.wall)));
    column(out, ",\n\"cpu\":", spans.iter().map(|span| microseconds(span.cpu)));
    out.extend_from_slice(b"}}");
}

fn microseconds(time: Duration) -> i64 {
    time.as_micros() as i64
}

/// A row number in JSON: -1 for [`NONE`].
fn row(row: u32) -> i64 {
    if row == NONE { -1 } else { row.into() }
}

/// JavaScript's numbers are exact up to 2^53: larger values are clamped.
fn clamp(value: u64) -> i64 {
    value.min(1 << 53) as i64
}

fn column(out: &mut Vec<u8>, key: &str, values: impl Iterator<Item = i64>) {
    out.reserve(values.size_hint().0 * 4 + key.len() + 2);
    out.extend_from_slice(key.as_bytes());
    out.push(b'[');
    separated(out, values, number);
    out.push(b']');
}

/// Writes `values` with commas between them.
fn separated<T>(
    out: &mut Vec<u8>,
    values: impl Iterator<Item = T>,
    write: impl Fn(&mut Vec<u8>, T),
) {
    for (at, value) in values.enumerate() {
        if at != 0 {
            out.push(b',');
        }
        write(out, value);
    }
}

fn number(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    match u32::try_from(value.unsigned_abs()) {
        Ok(value) if value < 100_000_000 => short_number(out, value),
        _ => out.extend_from_slice(value.unsigned_abs().to_string().as_bytes()),
    }
}

/// Writes a number of at most eight digits, which are all computed at once, each in a byte of a
/// word. Most of a report consists of numbers.
fn short_number(out: &mut Vec<u8>, value: u32) {
    // Divisions by 100 and by 10 are done by multiplications that are exact in these ranges.
    let halves = u64::from(value / 10_000) | (u64::from(value % 10_000) << 32);
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | ((halves - hundreds * 100) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | ((pairs - tens * 10) << 8);
    // The first digit is in the lowest byte. If all digits are zero, one stays.
    let zeros = (digits | (1 << 56)).trailing_zeros() & !7;
    let text = (digits | 0x3030_3030_3030_3030) >> zeros;
    // Eight bytes are always appended and then truncated, which is faster than appending a variable
    // number.
    out.extend_from_slice(&text.to_le_bytes());
    out.truncate(out.len() - zeros as usize / 8);
}

fn strings<'a>(out: &mut Vec<u8>, key: &str, values: impl Iterator<Item = &'a [u8]>) {
    out.extend_from_slice(key.as_bytes());
    out.push(b'[');
    separated(out, values, string);
    out.push(b']');
}

/// A string; bytes that are not UTF-8 become `\xNN`, as in messages.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) & (byte != b'"') & (byte != b'\\');
    // No early exit from the loop, so that it is vectorized.
    if bytes.iter().fold(true, |plain, &byte| plain & is_plain(byte)) {
        out.extend_from_slice(bytes);
    } else {
        let escaped;
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                escaped = demangle::escape(bytes);
                &escaped
            }
        };
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend([b'\\', c as u8]),
                c if c < ' ' || c == '\u{7f}' => {
                    out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes());
                }
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Symbol;

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    #[test]
    fn numbers_and_strings() {
        let numbers = [0, -1, 7, 120, 1 << 53, i64::MIN];
        assert_eq!(
            written(|out| column(out, "", numbers.into_iter())),
            "[0,-1,7,120,9007199254740992,-9223372036854775808]"
        );
        assert_eq!(written(|out| string(out, b"a\"\\\n\0b")), r#""a\"\\\u000a\u0000b""#);
        assert_eq!(written(|out| string(out, "für".as_bytes())), "\"für\"");
        assert_eq!(written(|out| string(out, b"a\xff")), r#""a\\xff""#);
        assert_eq!(written(|out| string(out, b"</script>")), "\"</script>\"");
    }

    fn joined(pieces: &[Piece<'_>]) -> String {
        written(|out| pieces.iter().for_each(|piece| piece(out)))
    }

    #[test]
    fn digits_of_short_numbers() {
        let powers = (0..8).map(|power| 10_u32.pow(power));
        let edges = powers.flat_map(|power| [power - 1, power, 7 * power + power / 3]);
        for value in edges.chain([0, 99_999_999, 100_000_000, u32::MAX]).chain(0..10_000) {
            assert_eq!(written(|out| number(out, value.into())), value.to_string());
        }
        for value in (0..100_000_000).step_by(9_973) {
            assert_eq!(written(|out| short_number(out, value)), value.to_string());
        }
    }

    #[test]
    fn targets_are_distances() {
        let part = |first, counts: &[u32], targets: &[u32]| ReferenceLists {
            first,
            counts: counts.to_vec(),
            targets: targets.to_vec(),
        };
        let references = vec![
            part(0, &[0], &[]),
            part(1, &[2, 0, 1], &[2, 5, 1]),
            part(4, &[0], &[]),
            part(5, &[1], &[7]),
        ];
        let report = Report { references, ..Report::default() };
        assert_eq!(joined(&distances(&report)), "1,3,-2,2");
    }

    #[test]
    fn names_are_written_in_pieces() {
        let symbol = || Symbol { name: b"f", section: 0, section_offset: 0, size: 0, kind: b'f' };
        let part = |count| (0..count).map(|_| symbol()).collect::<Vec<Symbol>>();
        let counts = [0, 3, CHUNK, 0, CHUNK - 1, 2, 5, 0];
        let report = Report { symbols: counts.map(part).into(), ..Report::default() };
        let pieces = names(&report);
        assert_eq!(pieces.len(), 3);
        assert_eq!(joined(&pieces), vec!["\"f\""; counts.iter().sum()].join(","));
        let report = Report { symbols: vec![part(0), part(0)], ..Report::default() };
        assert_eq!(joined(&names(&report)), "");
    }
}
