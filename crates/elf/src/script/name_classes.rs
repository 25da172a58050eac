//! The class of an input section's name: which of the known output sections it counts as.
//!
//! The patterns of the default layout decide, compiled like those of any script. They depend on
//! names alone, so a section gets its class when its header is decoded, before it is known which
//! files are linked.

use super::LayoutScript;
use super::default_layout::{self, LayoutOptions};
use super::matcher::{Matcher, RuleId};
use super::section_names::NameClass;
use skald_core::ids::Column;

/// The default layout with its patterns compiled.
#[derive(Debug)]
pub struct NameClasses {
    /// The default layout.
    pub script: LayoutScript,
    /// The compiled patterns of `script`.
    pub matcher: Matcher,
    /// By statement of input sections, the known output section that it belongs to.
    pub classes: Column<RuleId, NameClass>,
}

impl NameClasses {
    /// Compiles the default layout for these options.
    pub fn new(options: &LayoutOptions) -> NameClasses {
        let (script, classes) = default_layout::with_classes(options);
        NameClasses { matcher: Matcher::new(&script), script, classes }
    }

    /// The class of an input section called `name`.
    #[inline]
    pub fn of(&self, name: &[u8]) -> NameClass {
        self.matcher.rule_of_name(name).map_or(NameClass::CUSTOM, |rule| self.classes[rule])
    }
}

#[cfg(test)]
mod tests {
    use super::super::section_names::{KNOWN, KeptPrefixes, OutputId, known};
    use super::*;

    fn check(kept_prefixes: KeptPrefixes, rows: &[(&str, Option<OutputId>)]) {
        let options = LayoutOptions { kept_prefixes, ..LayoutOptions::default() };
        let classes = NameClasses::new(&options);
        for &(name, out) in rows {
            assert_eq!(classes.of(name.as_bytes()).output(), out, "{name}");
        }
    }

    #[test]
    fn names_are_folded_as_by_the_script_of_gnu_ld() {
        check(
            KeptPrefixes::default(),
            &[
                (".text.foo", Some(known::TEXT)),
                (".text", Some(known::TEXT)),
                (".text.hot.x", Some(known::TEXT)),
                (".textual", None),
                (".data.rel.ro.local.x", Some(known::DATA_REL_RO)),
                (".data.rel.local", Some(known::DATA)),
                (".bss.rel.ro.x", Some(known::BSS_REL_RO)),
                (".debug_str", Some(known::DEBUG_FIRST + 3)),
                (".debug_types", None),
                (".init_array.5", Some(known::INIT_ARRAY)),
                (".gnu.linkonce.t.f", Some(known::TEXT)),
                (".gnu.linkonce.d.v", Some(known::DATA)),
                (".gnu.linkonce.d.rel.ro.local.v", Some(known::DATA_REL_RO)),
                (".gnu.linkonce.lr.v", Some(known::LRODATA)),
                (".gnu.linkonce.wi.f", Some(known::DEBUG_FIRST)),
                (".gnu.linkonce.this_module", None),
                (".got", None),
                ("foo", None),
            ],
        );
    }

    #[test]
    fn prefixes_are_kept() {
        check(
            KeptPrefixes::new(true, false),
            &[
                (".text.hot.x", Some(known::TEXT_HOT)),
                (".text.exit", Some(known::TEXT_EXIT)),
                (".text.f", Some(known::TEXT)),
                (".data.hot.x", Some(known::DATA)),
            ],
        );
        check(
            KeptPrefixes::new(false, true),
            &[
                (".text.hot.x", Some(known::TEXT)),
                (".data.hot.x", Some(known::DATA_HOT)),
                (".data.hot", Some(known::DATA_HOT)),
                (".data.hotter", Some(known::DATA)),
                (".rodata.cst8.unlikely.", Some(known::RODATA_UNLIKELY)),
                (".data.rel.ro.unlikely.x", Some(known::DATA_REL_RO_UNLIKELY)),
                (".data.rel.ro.x.hot.", Some(known::DATA_REL_RO_HOT)),
                (".bss.hot.x", Some(known::BSS_HOT)),
                (".bss.rel.ro.hot.x", Some(known::BSS_REL_RO)),
                (".ldata.hot.x", Some(known::LDATA)),
            ],
        );
    }

    #[test]
    fn every_known_name_has_a_class_in_every_layout() {
        for bits in 0..64u8 {
            let has = |bit: u8| bits >> bit & 1 != 0;
            let options = LayoutOptions {
                reloc_kind: crate::machine::RelocKind::Rela,
                loaded_attributes: &[],
                got_is_small_data: false,
                kept_prefixes: KeptPrefixes::new(has(0), has(1)),
                relro: has(2),
                now: has(3),
                has_toc: has(1),
                is_rodata_late: has(4),
                is_large_rodata_late: has(5),
                sorts_by_option: false,
                has_relocations_apart: false,
                has_writable_plt: false,
                is_relocatable: false,
            };
            let classes = NameClasses::new(&options);
            let usual =
                LayoutOptions { kept_prefixes: options.kept_prefixes, ..LayoutOptions::default() };
            let usual = NameClasses::new(&usual);
            let known = (0..).map(OutputId::new).zip(KNOWN);
            for (out, name) in known.filter(|&(out, _)| options.kept_prefixes.has_output(out)) {
                assert_eq!(classes.of(name), NameClass::of(out), "{bits}");
                let longer = [name, b".x"].concat();
                assert_eq!(classes.of(&longer), usual.of(&longer), "{bits}");
            }
        }
    }
}
