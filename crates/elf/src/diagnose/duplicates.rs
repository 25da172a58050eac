//! The reason why a symbol is defined twice.

use super::location::Place;
use super::messages::Definition;

/// The likely reason why a function or variable is defined twice, by what the definitions share.
pub fn hint(first: &Definition, second: &Definition, is_function: bool) -> Option<String> {
    let (Definition::At(first), Definition::At(second)) = (first, second) else { return None };
    if first.file_name == second.file_name {
        let member = if first.file_name.ends_with(')') { "a member called" } else { "" };
        return Some(
            format!("{member} {} is linked twice", first.file_name).trim_start().to_owned(),
        );
    }
    if is_rust(first) && is_rust(second) {
        return Some(
            "both libraries hold Rust's own: build one staticlib of all Rust code".to_owned(),
        );
    }
    let source = first.source.as_ref().filter(|&source| second.source.as_ref() == Some(source))?;
    // `area.h:1 (/src/area.h:1)`, or `main.c` without a line.
    let (line, _) = source.split_once(" (")?;
    let (file, _) = line.rsplit_once(':')?;
    Some(if is_function {
        format!(
            "both are {line}, which several sources include: make it inline or static, or only \
             declare it in {file}"
        )
    } else {
        format!(
            "both are {line}, which several sources include: declare it extern in {file} and \
             define \
             it in one source"
        )
    })
}

/// Whether a place is in a member of an archive and in a function of Rust's library.
fn is_rust(place: &Place) -> bool {
    let name = place.enclosing.as_deref().unwrap_or_default();
    let is_own =
        ["std::", "core::", "alloc::", "rust_eh_personality", "__rust_", "rust_begin_unwind"]
            .iter()
            .any(|start| name.starts_with(start));
    is_own && place.file_name.ends_with(".o)") && place.file_name.contains(".a(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file_name: &str, source: &str) -> Definition {
        Definition::At(Place {
            file_name: file_name.to_owned(),
            source: Some(source.to_owned()),
            ..Place::default()
        })
    }

    #[test]
    fn headers_are_recognised_by_the_line() {
        let (a, b) = (at("a.o", "x.h:1 (/s/x.h:1)"), at("b.o", "x.h:1 (/s/x.h:1)"));
        assert!(hint(&a, &b, true).is_some_and(|text| text.contains("inline")));
        assert!(hint(&a, &b, false).is_some_and(|text| text.contains("extern in x.h")));
        assert_eq!(hint(&a, &at("b.o", "y.c:1 (/s/y.c:1)"), true), None);
        // Two different sources with the same name, without lines.
        assert_eq!(hint(&at("a.o", "x.c"), &at("b.o", "x.c"), true), None);
    }

    #[test]
    fn a_file_given_twice_is_named() {
        let (a, again) = (at("a.o", "a.c"), at("a.o", "a.c"));
        assert_eq!(hint(&a, &again, true).as_deref(), Some("a.o is linked twice"));
    }
}
