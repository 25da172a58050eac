//! Decisions on which scanning and applying must agree.

use super::relax::{Form, GotRelaxation, got_relaxation};
use super::tls::{self, DescriptorLea, InitialExec, NextRelocation, TlsCall};
use super::tls_x32;
use crate::format::elf::Rela;
use crate::resolve::dynamic::OutputShape;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;

/// The initial-exec load that is to be rewritten to local exec, if it is.
#[inline]
pub fn initial_exec(
    shape: OutputShape,
    relax: bool,
    view: SymbolView,
    section: &[u8],
    reloc: &Rela,
    is_narrow: bool,
) -> Option<InitialExec> {
    if shape.is_shared || view.is_imported() || !relax {
        return None;
    }
    let r_offset = reloc.r_offset() as usize;
    if is_narrow {
        return tls_x32::initial_exec(section, r_offset, reloc.r_type(), reloc.r_addend());
    }
    tls::initial_exec(section, r_offset, reloc.r_type(), reloc.r_addend())
}

/// The general-dynamic sequence around `reloc`; `is_narrow` for x32.
#[inline]
pub fn general_dynamic(
    section: &[u8],
    reloc: &Rela,
    next: Option<&Rela>,
    is_narrow: bool,
) -> Option<TlsCall> {
    let (r_offset, addend) = (reloc.r_offset() as usize, reloc.r_addend());
    let next = next.map(next_relocation);
    if is_narrow {
        tls_x32::general_dynamic(section, r_offset, addend, next)
    } else {
        tls::general_dynamic(section, r_offset, addend, next)
    }
}

/// The `lea` of a TLS descriptor whose field `reloc` relocates.
#[inline]
pub fn descriptor(section: &[u8], reloc: &Rela, is_narrow: bool) -> Option<DescriptorLea> {
    let r_offset = reloc.r_offset() as usize;
    tls::descriptor_lea(section, r_offset, reloc.r_type(), reloc.r_addend(), is_narrow)
}

/// How a GOT load of `view` is rewritten, if it is. `section` has the original bytes.
#[inline]
pub fn got_form(
    relax: bool,
    shape: OutputShape,
    view: SymbolView,
    section: &[u8],
    reloc: &Rela,
) -> Option<(GotRelaxation, Form)> {
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
    let found = got_relaxation(section, r_offset, reloc.r_type(), reloc.r_addend())?;
    if found.field(r_offset, Form::PcRelative).is_some() {
        return Some((found, Form::PcRelative));
    }
    let has_immediate = !shape.is_pic && found.field(r_offset, Form::Absolute).is_some();
    has_immediate.then_some((found, Form::Absolute))
}

/// The relocation in the form that the recognizers of call sequences need.
#[inline]
pub fn next_relocation(next: &Rela) -> NextRelocation {
    NextRelocation { r_offset: next.r_offset(), r_type: next.r_type() }
}

/// The relocation at `index`, changed to that of the rewritten instruction if it is of a GOT load.
pub fn follow_rewrite(image: &Image<'_>, patch: &Patch<'_>, index: usize) -> Rela {
    let mut reloc = patch.relocs[index];
    let view = image.view(patch.section.object, reloc.symbol());
    let form = got_form(image.relax, image.shape, view, patch.original, &reloc);
    let Some((relaxation, form)) = form else { return reloc };
    let relaxation = relaxation.filled(image.call_nop);
    if let Some(field) = relaxation.field(reloc.r_offset() as usize, form) {
        reloc.set_r_offset(field.field_offset as u64);
        reloc.set_r_type(field.r_type);
        reloc.set_r_addend(field.addend);
    }
    reloc
}
