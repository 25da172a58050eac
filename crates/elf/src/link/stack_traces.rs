//! `.sframe`: what becomes of tables that cannot be merged.

use super::plan::Link;
use crate::arch::x86_64::plt::PltStyle;
use crate::select::liveness::Liveness;
use crate::synth::sframe::{self, SFrameOutput};
use crate::synth::slots::Slots;

/// Behind the warnings about files.
const SFRAME_KEY: u64 = 1 << 42;

impl Link<'_> {
    /// The plan of `.sframe`; as with GNU ld there is none if a table cannot be merged, and that is
    /// a warning: what unwinds without it goes on.
    pub(super) fn stack_traces(
        &self,
        live: &Liveness,
        slots: &Slots,
        style: PltStyle,
    ) -> Option<SFrameOutput> {
        if self.objects.iter().all(|object| object.sframes.is_empty()) {
            return None;
        }
        let fault = match sframe::plan(self.objects, &self.definitions, live) {
            Ok(None) => return None,
            Ok(Some(mut output)) => {
                for (entries, is_direct) in [(&slots.plt, false), (&slots.direct_plt, true)] {
                    if !entries.is_empty() && !self.options.no_plt_unwind_info {
                        output.describe_plt(style, is_direct);
                    }
                }
                return Some(output);
            }
            Err(fault) => fault,
        };
        let object = &self.objects[fault.object as usize];
        let file = object.file.map(|file| self.candidates.display_name(file)).unwrap_or_default();
        let section = String::from_utf8_lossy(object.section_name(fault.shndx));
        let text = format!(
            "{file}:({section}+{:#x}): {}; no .sframe is made",
            fault.section_offset, fault.what
        );
        self.diag.warn((SFRAME_KEY, u64::from(fault.object)), text);
        None
    }
}
