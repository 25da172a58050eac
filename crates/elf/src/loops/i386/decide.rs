//! Decisions that scanning and applying must take alike.

use super::relax::{GotRelaxation, got_relaxation, is_baseless};
use super::tls::{self, InitialExec};
use crate::format::elf::Rela;
use crate::read::object_file::SectionFlags;
use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;

/// Whether the field of a GOT load holds the address of the word, in an instruction without base
/// register. Anywhere but in code it holds the offset from the GOT.
#[inline]
pub fn is_got_address(flags: SectionFlags, section: &[u8], reloc: &Rela) -> bool {
    flags.has(SectionFlags::EXEC) && is_baseless(section, reloc.r_offset() as usize)
}

/// How a GOT load of `view` is rewritten, if it is to be. `section` holds the original bytes.
#[inline]
pub fn got_relaxation_of(
    relax: bool,
    shape: OutputShape,
    view: SymbolView,
    section: &[u8],
    reloc: &Rela,
) -> Option<GotRelaxation> {
    // The start code of a static position-independent executable uses the GOT before it has
    // relocated it, so `--no-relax` cannot be followed there.
    let is_static_pie = shape.is_dynamic && !shape.has_loader;
    if !(relax || is_static_pie)
        || view.is_imported()
        || view.is_local_ifunc()
        || view.is_constant()
    {
        return None;
    }
    let r_offset = reloc.r_offset() as usize;
    got_relaxation(section, r_offset, reloc.r_type(), reloc.r_addend(), shape.is_pic)
}

/// The initial-exec instruction to rewrite to local exec, if it is to be.
#[inline]
pub fn initial_exec(
    shape: OutputShape,
    relax: bool,
    view: SymbolView,
    section: &[u8],
    reloc: &Rela,
) -> Option<InitialExec> {
    if shape.is_shared || view.is_imported() || !relax {
        return None;
    }
    tls::initial_exec(section, reloc)
}

/// The relocation at `index`, changed to that of the rewritten instruction if it is of a GOT load.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let view = image.view(patch.section.object, reloc.symbol());
    let found = got_relaxation_of(image.relax, image.shape, view, patch.original, &reloc);
    let Some(relaxation) = found else { return reloc };
    let field = relaxation.filled(image.call_nop).field(reloc.r_offset());
    reloc.set_r_offset(field.r_offset);
    reloc.set_r_type(field.r_type);
    reloc.set_r_addend(field.addend);
    reloc
}
