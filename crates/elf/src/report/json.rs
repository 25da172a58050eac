//! The report as JSON: objects of columns, each an array. Columns are written in parallel, as pieces
//! whose order is the text.

use super::data::{NONE, Removed, Report};
use rayon::prelude::*;
use skald_core::demangle;
use skald_core::unordered::UnorderedMap;
use std::time::Duration;

/// Version of the schema in `docs/report.md`.
const VERSION: u32 = 1;

/// The whole text.
pub fn json(report: &Report) -> Vec<u8> {
    let mut text = pieces(report).concat();
    text.push(b'\n');
    text
}

/// Writes one piece.
type Writer<'a> = Box<dyn Fn(&mut Vec<u8>) + Send + Sync + 'a>;

/// The text in pieces. Where it is cut depends on the report alone.
pub fn pieces(report: &Report) -> Vec<Vec<u8>> {
    let first_import = report.sections.len();
    let writers: Vec<Writer<'_>> = vec![
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
        Box::new(|out| {
            column(
                out,
                ",\n\"symbols\":{\"section\":",
                report.symbols.iter().map(|s| row(s.section)),
            );
        }),
        Box::new(|out| {
            let offsets = report.symbols.iter().map(|s| clamp(s.section_offset));
            column(out, ",\n\"section_offset\":", offsets);
        }),
        Box::new(|out| {
            column(out, ",\n\"size\":", report.symbols.iter().map(|s| clamp(s.size)));
            let kinds: Vec<u8> = report.symbols.iter().map(|s| s.kind).collect();
            out.extend_from_slice(b",\n\"kind\":");
            string(out, &kinds);
        }),
        Box::new(|out| {
            strings(out, ",\n\"name\":", report.symbols.iter().map(|s| s.name));
            out.push(b'}');
        }),
        Box::new(move |out| references(report, first_import, out)),
        Box::new(|out| libraries(report, out)),
        Box::new(|out| timeline(report, out)),
    ];
    let write = |writer: &Writer<'_>| {
        let mut out = Vec::new();
        writer(&mut out);
        out
    };
    writers.par_iter().with_max_len(1).map(write).collect()
}

fn head(report: &Report, out: &mut Vec<u8>) {
    let output = &report.output;
    let text = format!(
        "{{\"format\":\"skald-report\",\"version\":{VERSION},\n\"linker\":\"skald {}\",\n\"output\":{{\"path\":",
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

/// All of a list of sections but the closing brace.
fn gone<'a>(out: &mut Vec<u8>, key: &str, rows: impl Iterator<Item = &'a Removed> + Clone) {
    out.extend_from_slice(key.as_bytes());
    column(out, "{\"object\":", rows.clone().map(|r| row(r.object)));
    column(out, ",\n\"size\":", rows.clone().map(|r| clamp(r.size)));
    strings(out, ",\n\"name\":", rows.map(|r| r.name));
}

/// Targets as distances: the first of a section from the section, the others from the one before.
fn references(report: &Report, first_import: usize, out: &mut Vec<u8>) {
    let counts = &report.reference_counts;
    column(out, ",\n\"references\":{\"count\":", counts.iter().map(|&count| count.into()));
    let mut left = counts.iter().copied().zip(0i64..);
    let mut rest = (0, 0);
    let mut before = 0;
    let distances = report.reference_targets.iter().map(|&target| {
        while rest.0 == 0 {
            rest = left.next().expect("counts sum up to the targets");
            before = rest.1;
        }
        rest.0 -= 1;
        let distance = i64::from(target) - before;
        before = i64::from(target);
        distance
    });
    debug_assert!(first_import == counts.len());
    column(out, ",\n\"distance\":", distances);
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

/// A row, or -1 for none.
fn row(row: u32) -> i64 {
    if row == NONE { -1 } else { row.into() }
}

/// What JavaScript's numbers hold exactly ends at 2^53.
fn clamp(value: u64) -> i64 {
    value.min(1 << 53) as i64
}

fn column(out: &mut Vec<u8>, key: &str, values: impl Iterator<Item = i64>) {
    out.extend_from_slice(key.as_bytes());
    out.push(b'[');
    for (at, value) in values.enumerate() {
        if at != 0 {
            out.push(b',');
        }
        number(out, value);
    }
    out.push(b']');
}

fn number(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    let mut rest = value.unsigned_abs();
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

fn strings<'a>(out: &mut Vec<u8>, key: &str, values: impl Iterator<Item = &'a [u8]>) {
    out.extend_from_slice(key.as_bytes());
    out.push(b'[');
    for (at, value) in values.enumerate() {
        if at != 0 {
            out.push(b',');
        }
        string(out, value);
    }
    out.push(b']');
}

/// A string; bytes that are not UTF-8 become `\xNN`, as in messages.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let is_plain = |byte: &u8| (b' '..0x7f).contains(byte) && *byte != b'"' && *byte != b'\\';
    if bytes.iter().all(is_plain) {
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

    #[test]
    fn targets_are_distances() {
        let report = Report {
            reference_counts: vec![2, 0, 1],
            reference_targets: vec![1, 4, 0],
            ..Report::default()
        };
        let text = written(|out| references(&report, 3, out));
        assert!(text.contains("\"count\":[2,0,1],\n\"distance\":[1,3,-2]"), "{text}");
    }
}
