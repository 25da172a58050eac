//! MarkInputs of names: each that GNU ld takes for one of its options must mean that here, however
//! many options there are besides.

use super::super::rows::{FoundRow, find, find_beginning, gnu_names};
use skald_linking::option_row::{Form, Status};

/// Names of one option, for GNU ld too; of those in `gnu_names`, all others stand alone.
const SYNONYMS: &[&[&str]] = &[
    &["dc", "dp"],
    &["dT", "default-script"],
    &["Bdynamic", "call_shared", "dy"],
    &["Bstatic", "dn", "non_shared", "static"],
    &["add-needed", "copy-dt-needed-entries"],
    &["no-add-needed", "no-copy-dt-needed-entries"],
    &["noinhibit-exec", "noinhibit_exec"],
    &["pic-executable", "pie"],
    &["warn-shared-textrel", "warn-textrel"],
];

/// The names of GNU ld that the whole of an option has.
fn synonyms(name: &'static str) -> Vec<&'static str> {
    let group = SYNONYMS.iter().find(|group| group.contains(&name));
    group.map_or_else(|| vec![name], |group| group.to_vec())
}

/// What GNU ld takes `beginning` for, if it is no name itself: the only option among `names`.
fn meant(names: &[&'static str], beginning: &str) -> Option<&'static str> {
    let fits: Vec<_> = names.iter().copied().filter(|name| name.starts_with(beginning)).collect();
    let first = *fits.first()?;
    let same = synonyms(first);
    fits.iter().all(|name| same.contains(name)).then_some(first)
}

fn is_same(left: FoundRow, right: FoundRow) -> bool {
    let silent =
        |found: FoundRow| found.row.status == Status::Silent && found.row.form == Form::None;
    std::ptr::eq(left.row, right.row) && left.off == right.off || silent(left) && silent(right)
}

#[test]
fn each_beginning_means_what_it_means_for_gnu_ld() {
    let (long, two) = (gnu_names::LONG, gnu_names::TWO_DASHES);
    let mut count = 0;
    for name in long.iter().chain(two) {
        assert!(find(name.as_bytes()).is_some(), "no row is called {name}");
        for end in 2..name.len() {
            let beginning = &name[..end];
            if find(beginning.as_bytes()).is_some() {
                continue;
            }
            for dashes in [1, 2] {
                let wanted = meant(long, beginning)
                    .or_else(|| if dashes == 2 { meant(two, beginning) } else { None });
                let Some(wanted) = wanted else { continue };
                count += 1;
                let wanted = find(wanted.as_bytes()).unwrap();
                let found = find_beginning(beginning.as_bytes(), dashes);
                let found = found.unwrap_or_else(|| panic!("{beginning} means nothing"));
                assert!(is_same(found, wanted), "{beginning} means {:?}", found.row.names);
            }
        }
    }
    assert!(count > 2000, "{count}");
}

/// What is spelled in full here and is a beginning of GNU ld's option there: such a name must mean
/// the same.
#[test]
fn no_other_name_is_a_beginning_of_gnu_ld_s() {
    use super::super::rows::THEMES;
    let (long, two) = (gnu_names::LONG, gnu_names::TWO_DASHES);
    let rows = || THEMES.iter().flat_map(|theme| theme.rows);
    for spelling in rows().flat_map(|row| row.spellings()) {
        let name = spelling.trim_start_matches('-');
        // mold's, older than GNU ld's --section-ordering-file.
        if name == "section-order" {
            continue;
        }
        if name.len() < 2 || long.contains(&name) || two.contains(&name) {
            continue;
        }
        let Some(wanted) = meant(long, name).or_else(|| meant(two, name)) else { continue };
        let (found, wanted_row) =
            (find(name.as_bytes()).unwrap(), find(wanted.as_bytes()).unwrap());
        assert!(is_same(found, wanted_row), "{spelling} is GNU ld's {wanted}");
    }
}
