//! Abbreviated names: each that GNU ld accepts for one of its options must mean that option here,
//! whatever other options there are.

use super::super::rows::{FoundRow, find, find_beginning, gnu_names};
use skald_linking::option_row::{Form, Status};

/// Names of the same option, in GNU ld too; every other name in `gnu_names` has no synonym.
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

/// All names in GNU ld of the option that has this name.
fn synonyms(name: &'static str) -> Vec<&'static str> {
    let group = SYNONYMS.iter().find(|group| group.contains(&name));
    group.map_or_else(|| vec![name], |group| group.to_vec())
}

/// The option for which GNU ld takes `beginning`, if that is not a name itself: the only one among
/// `names`.
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

/// A name of another option that is the beginning of an option of GNU ld must mean the same.
#[test]
fn no_other_name_is_a_beginning_of_gnu_ld_s() {
    use super::super::rows::THEMES;
    let (long, two) = (gnu_names::LONG, gnu_names::TWO_DASHES);
    let rows = || THEMES.iter().flat_map(|theme| theme.rows);
    for spelling in rows().flat_map(|row| row.spellings()) {
        let name = spelling.trim_start_matches('-');
        // This is mold's option, which is older than GNU ld's --section-ordering-file.
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
