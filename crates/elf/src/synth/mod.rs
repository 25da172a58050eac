//! The sections that the linker adds: one file for each synthetic section.

pub mod address_index;
pub mod attributes;
pub mod build_id;
pub mod dynamic_relocs;
pub mod dynamic_section;
pub mod dynamic_symbols;
pub mod eh_frame;
pub mod eh_frame_hdr;
pub mod emitted_relocs;
pub mod extra_symbols;
pub mod gnu_hash;
pub mod got_plt;
pub mod header_flags;
pub mod image;
pub mod interp;
pub mod kept_symbols;
pub mod listed_got;
pub mod local_numbering;
pub mod mark_values;
pub mod memtag;
pub mod package_note;
pub mod patch;
pub mod planned;
pub mod plt;
pub mod plt_frames;
pub mod properties;
pub mod property_note;
pub mod reloc_form;
pub mod relr;
pub mod section_names;
pub mod sections;
pub mod sframe;
pub mod shrinking;
mod signing;
pub mod slots;
pub mod symtab;
pub mod symtab_shndx;
pub mod sysv_hash;
pub mod unwind_index;
pub mod values;
pub mod veneers;
pub mod versions;

/// A buffer whose bytes a test expects to be overwritten.
#[cfg(test)]
fn blank(size: u64) -> Vec<u8> {
    vec![0xaa; usize::try_from(size).expect("small")]
}
