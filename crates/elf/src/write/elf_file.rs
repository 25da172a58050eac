//! Writes an ELF file by spans, and the build id into it.

use super::content::Writer;
use super::input_order::InputOrder;
use super::parts::Part;
use crate::args::BuildId;
use crate::layout::{OutputSections, Synthetic};
use crate::synth::build_id;
use crate::synth::sections::Plan;
use object::elf::SHT_NOBITS;
use skald_core::diag::{Diag, Error, Failed, WHOLE_LINK};
use skald_core::memory_limit;
use skald_core::output::{Output, OutputPlan};
use skald_core::time::Timer;
use skald_linking::spans::{self, BuildOrder, Span, Sum};

/// Writes all spans of an ELF file; returns what `sum` computes of each.
pub fn write_spans(
    writer: &Writer<'_>,
    parts: &[Part],
    spans: &[Span],
    sum: Sum,
    output_plan: &OutputPlan,
    timer: &Timer,
    diag: &Diag,
) -> Result<(Output, Vec<u128>), Failed> {
    let &Writer { image, plan, .. } = writer;
    let output = told(Output::create(output_plan), diag)?;
    let fill = |part: &Part, out: &mut [u8]| writer.fill(part, out);
    let window = memory_limit::input_window();
    let order = window.map(|window| InputOrder::new(image, plan, parts, window));
    let order = order.as_ref().map(|order| order as &dyn BuildOrder);
    let rules = spans::Rules { sum, order, timer };
    let sums = told(spans::write_all(&output, parts, spans, rules, fill), diag)?;
    Ok((output, sums))
}

/// The build id and its file offset; none if a script discards its section, or the section has no
/// bytes in the file.
pub fn build_id_at(
    style: &BuildId,
    plan: &Plan,
    outputs: &OutputSections,
    digests: &[u128],
) -> Option<(u64, Vec<u8>)> {
    let note = plan.build_id.as_ref()?;
    let bytes = build_id::descriptor(style, digests)?;
    let section = outputs.synthetic(Synthetic::BuildId)?;
    let file_offset = section.file_offset + note.descriptor().start as u64;
    (section.sh_type != SHT_NOBITS).then_some((file_offset, bytes))
}

/// Reports an error that ends the link although all inputs are right.
pub fn told<T>(result: Result<T, Error>, diag: &Diag) -> Result<T, Failed> {
    result.map_err(|error| {
        diag.error(WHOLE_LINK, error.0);
        diag.checkpoint().err().unwrap_or(Failed)
    })
}
