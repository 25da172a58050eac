//! The page: one self-contained file that opens from disk and makes no network request, which its
//! content security policy also forbids.
//!
//! The data is the JSON text in parts, each compressed (deflate, RFC 1951) and base64-encoded; the
//! browser can decode both. So text in names can never be interpreted as HTML.

use crate::data::Report;
use crate::json;
use flate2::{Compress, Compression, FlushCompress, Status};
use skald_core::in_order;
use std::io::{self, Write};
use std::sync::Mutex;

/// The template of the page: one line is a placeholder for each asset.
const FRAME: &str = include_str!("assets/page.html");

const STYLE: &str = include_str!("assets/style.css");

/// d3-hierarchy: the layout of treemaps. <https://d3js.org/d3-hierarchy>, ISC licence.
const D3_HIERARCHY: &str = include_str!("assets/d3-hierarchy.min.js");

const D3_LICENCE: &str = include_str!("assets/d3-hierarchy.LICENSE");

const SCRIPTS: [&str; 14] = [
    include_str!("assets/demangling.js"),
    include_str!("assets/demangle_cxx.js"),
    include_str!("assets/demangle_rust.js"),
    include_str!("assets/demangle.js"),
    include_str!("assets/model.js"),
    include_str!("assets/elements.js"),
    include_str!("assets/tree.js"),
    include_str!("assets/treemap.js"),
    include_str!("assets/search.js"),
    include_str!("assets/symbol.js"),
    include_str!("assets/tables.js"),
    include_str!("assets/timeline.js"),
    include_str!("assets/compare.js"),
    include_str!("assets/app.js"),
];

/// Size of a part of the text that is compressed on its own.
const PART: usize = 1 << 20;

/// How hard to compress: the higher levels cost more time than the link itself.
const LEVEL: u32 = 1;

/// Writes the whole page.
///
/// # Errors
/// Those of `page`.
pub fn write(report: &Report, page: &mut (impl Write + Send)) -> io::Result<()> {
    for line in FRAME.split_inclusive('\n') {
        match line.trim() {
            "<!-- title -->" => page.write_all(text(&report.output.path).as_bytes())?,
            "/* style */" => page.write_all(STYLE.as_bytes())?,
            "/* licence */" => page.write_all(D3_LICENCE.as_bytes())?,
            "/* library */" => page.write_all(D3_HIERARCHY.as_bytes())?,
            "/* scripts */" => SCRIPTS.iter().try_for_each(|s| page.write_all(s.as_bytes()))?,
            "<!-- data -->" => write_data(report, page)?,
            _ => page.write_all(line.as_bytes())?,
        }
    }
    Ok(())
}

/// Writes the data, one line for each part.
fn write_data(report: &Report, page: &mut (impl Write + Send)) -> io::Result<()> {
    let pieces = json::pieces(report);
    // Encoders are reused: fresh memory costs as much as writing JSON to it.
    let encoders: Mutex<Vec<Encoder>> = Mutex::default();
    in_order::write(pieces.len(), page, |at, out| {
        let spare = encoders.lock().expect("no worker panics").pop();
        let mut encoder = spare.unwrap_or_default();
        encoder.text.clear();
        pieces[at](&mut encoder.text);
        encoder.encode(out);
        encoders.lock().expect("no worker panics").push(encoder);
    })
}

/// Compresses and encodes a part of the report's text.
struct Encoder {
    text: Vec<u8>,
    state: Compress,
    deflated: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        let state = Compress::new(Compression::new(LEVEL), false);
        Encoder { text: Vec::new(), state, deflated: Vec::new() }
    }
}

impl Encoder {
    /// Appends the compressed text as lines of base64.
    fn encode(&mut self, out: &mut Vec<u8>) {
        for part in self.text.chunks(PART) {
            self.state.reset();
            self.deflated.clear();
            let mut rest = part;
            loop {
                self.deflated.reserve(part.len() / 4 + 64);
                let before = self.state.total_in();
                let status =
                    self.state.compress_vec(rest, &mut self.deflated, FlushCompress::Finish);
                rest = &rest[(self.state.total_in() - before) as usize..];
                match status.expect("the state is that of a new part") {
                    Status::StreamEnd => break,
                    Status::Ok | Status::BufError => {}
                }
            }
            base64(&self.deflated, out);
        }
    }
}

/// Appends bytes in base64 (RFC 4648, section 4) and the end of the line.
fn base64(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |[a, b, c]: [u8; 3]| {
        let word = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        [18, 12, 6, 0].map(|shift| DIGITS[(word >> shift) as usize & 63])
    };
    let (groups, rest) = bytes.as_chunks::<3>();
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, b'=');
    let places = out[start..].as_chunks_mut::<4>().0;
    for (place, &group) in places.iter_mut().zip(groups) {
        *place = digits(group);
    }
    if let ([first, second @ ..], Some(place)) = (rest, places.get_mut(groups.len())) {
        let last = digits([*first, second.first().copied().unwrap_or(0), 0]);
        let used = rest.len() + 1;
        place[..used].copy_from_slice(&last[..used]);
    }
    out.push(b'\n');
}

/// `text`, escaped for HTML.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads() {
        let encoded = |bytes: &[u8]| {
            let mut out = Vec::new();
            base64(bytes, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(encoded(b""), "\n");
        assert_eq!(encoded(b"f"), "Zg==\n");
        assert_eq!(encoded(b"fo"), "Zm8=\n");
        assert_eq!(encoded(b"foo"), "Zm9v\n");
        assert_eq!(encoded(b"foob\xff\xfe"), "Zm9vYv/+\n");
    }

    #[test]
    fn the_page_is_whole_whatever_its_names_hold() {
        let mut report = Report::default();
        report.output.path = "</title><script>alert(1)</script>".to_owned();
        let mut page = Vec::new();
        write(&report, &mut page).expect("memory takes all");
        let page = String::from_utf8(page).expect("text");
        assert!(page.contains("&lt;/title&gt;&lt;script&gt;"));
        assert!(!page.contains("alert(1)</script>"));
        for place in ["/* style */", "/* library */", "/* scripts */", "<!-- data -->"] {
            assert!(!page.contains(&format!("{place}\n")), "{place}");
        }
        assert!(page.contains("Mike Bostock") && page.trim_end().ends_with("</html>"));
        // Embedded assets and data do not close any element of the page.
        assert_eq!(page.matches("</script").count(), FRAME.matches("</script").count());
        assert_eq!(page.matches("</style").count(), 1);
    }
}
