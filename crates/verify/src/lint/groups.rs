//! Section groups of relocatable files: their members are sections of the file with SHF_GROUP, and
//! belong to no other group (generic ABI, "Section Groups").

use super::Report;
use crate::output_file::OutputFile;
use object::elf;
use std::collections::BTreeSet;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let mut members = BTreeSet::new();
    for group in file.sections.iter().filter(|s| s.kind == elf::SHT_GROUP) {
        let has_signature = group.info > 0 && (group.info as usize) < file.symbols.len();
        report.expect("group", has_signature, || format!("signature is symbol {}", group.info));
        for word in file.section_bytes(group).chunks_exact(4).skip(1) {
            let index = file.encoding.number(word) as u32;
            let section = file.sections.get(index as usize).filter(|_| index > 0);
            let is_member = section.is_some_and(|s| s.flags & u64::from(elf::SHF_GROUP) != 0);
            report.expect("group", is_member, || format!("section {index} is no member"));
            let is_new = members.insert(index);
            report.expect("group", is_new, || format!("section {index} is in two groups"));
        }
    }
    for (index, section) in file.sections.iter().enumerate() {
        let is_member = section.flags & u64::from(elf::SHF_GROUP) != 0;
        report.expect("group", !is_member || members.contains(&(index as u32)), || {
            format!("{} is a member of no group", section.name)
        });
    }
}
