//! `--vs-diagnostics`: messages begin with `FILE(LINE)` if a source line is known, which Visual
//! Studio turns into a link. As in lld, the place is the first one that the message lists, and a
//! duplicate symbol gives two messages, one for each place.

use skald_core::diag::PlacedMessage;

/// Prefixes of lines that list a place.
const LISTED: [&str; 2] = ["\n>>> referenced by ", "\n>>> defined at "];

/// The messages into which `text` is split.
pub fn place(text: &str) -> Vec<PlacedMessage> {
    if let Some([head, first, second]) = two_definitions(text) {
        return [first, second].map(|place| one(format!("{head}{place}"))).into();
    }
    vec![one(text.to_owned())]
}

fn one(text: String) -> PlacedMessage {
    PlacedMessage { place: location(&text), text }
}

/// The start of a message about a duplicate symbol, and its two places.
fn two_definitions(text: &str) -> Option<[&str; 3]> {
    text.strip_prefix("duplicate symbol: ")?;
    let first = text.find(LISTED[1])?;
    let second = first + 1 + text[first + 1..].find(LISTED[1])?;
    let parts = [&text[..first], &text[first..second], &text[second..]];
    let has_line = |part: &str| listed(part).is_some_and(|place| line_of(place).is_some());
    (has_line(parts[1]) && has_line(parts[2])).then_some(parts)
}

/// The first place that `text` lists: `FILE(LINE)`, or a file without lines; otherwise the place at
/// the start of the text itself.
fn location(text: &str) -> Option<String> {
    let numbered = |(file, line): (&str, &str)| format!("{file}({line})");
    let Some(place) = listed(text) else {
        let (place, _) = text.split_once(": ")?;
        return line_of(place).map(numbered);
    };
    if let Some(place) = line_of(place) {
        return Some(numbered(place));
    }
    // `a.o:(function)`
    place.split_once(":(").map(|(file, _)| file.to_owned())
}

/// The first place that is listed, to the end of its line.
fn listed(text: &str) -> Option<&str> {
    let begins = |mark: &str| text.find(mark).map(|at| at + mark.len());
    let at = LISTED.into_iter().filter_map(begins).min()?;
    text[at..].lines().next()
}

/// For `a.c:3 (/src/a.c:3)` or `a.c:3`: the file, with its directory if there is one, and the line.
fn line_of(place: &str) -> Option<(&str, &str)> {
    let whole = place.strip_suffix(')').and_then(|place| Some(place.split_once(" (")?.1));
    let (file, line) = whole.unwrap_or(place).rsplit_once(':')?;
    let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (is_line && !file.is_empty()).then_some((file, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<Option<String>> {
        place(text).into_iter().map(|placed| placed.place).collect()
    }

    #[test]
    fn the_first_place_stands_in_front() {
        let text = "undefined symbol: f\n>>> referenced by a.c:3 (/src/a.c:3)\n>>>    a.o:(main)";
        assert_eq!(places(text), [Some("/src/a.c(3)".to_owned())]);
        let text = "undefined symbol: f\n>>> referenced by a.c:3\n>>>    a.o:(main)";
        assert_eq!(places(text), [Some("a.c(3)".to_owned())]);
        let text = "undefined symbol: f\n>>> referenced by a.o:(main)";
        assert_eq!(places(text), [Some("a.o".to_owned())]);
        let text = "undefined symbol: f\n>>> referenced by a.c\n>>>    a.o:(main)";
        assert_eq!(places(text), [None]);
        assert_eq!(places("x.ld:7: unclosed quote"), [Some("x.ld(7)".to_owned())]);
        assert_eq!(places("unable to find library -lx"), [None]);
        assert_eq!(places(""), [None]);
    }

    #[test]
    fn duplicates_are_two_messages() {
        let text = "duplicate symbol: f\n>>> defined at a.c:1 (/a.c:1)\n>>>    a.o:(f)\n>>> \
                    defined at b.c:2 (/b.c:2)\n>>>    b.o:(f)";
        let placed = place(text);
        assert_eq!(
            placed[0].text,
            "duplicate symbol: f\n>>> defined at a.c:1 (/a.c:1)\n>>>    a.o:(f)"
        );
        assert_eq!(placed[1].place.as_deref(), Some("/b.c(2)"));
        assert_eq!(placed.len(), 2);
        let text = "duplicate symbol: f\n>>> defined at a.o:(f)\n>>> defined at b.o:(f)";
        assert_eq!(places(text), [Some("a.o".to_owned())]);
    }
}
