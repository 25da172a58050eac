//! Outputs of `--oformat` and `--out-implib`: the ELF file is built in memory. The first converts
//! it; the second writes a file of its symbols beside the output.

use crate::args::{Options, OutputFormat, OutputKind};
use crate::synth::image::Image;
use crate::synth::sections::Plan;
use crate::write::content::Writer;
use crate::write::image_format::convert;
use crate::write::import_library;
use crate::write::parts::Part;
use skald_core::diag::{Error, Result};
use skald_core::digest::span_digest;
use skald_core::ids::IndexRange;
use skald_core::output::{Output, OutputPlan};
use skald_core::par::prelude::*;
use skald_host::errors;
use skald_host::output::permission_bits;
use skald_linking::spans::{self, Span};
use std::path::Path;

/// Bytes that are written at once.
const SPAN: usize = 1 << 20;

/// The plan of an ELF file, before its bytes are made.
pub struct Unwritten<'a> {
    /// All parts, by file offset.
    pub parts: &'a [Part],
    /// The parts in groups that are written and hashed together.
    pub spans: &'a [Span],
    /// Bytes of the file.
    pub size: u64,
}

/// The bytes of `elf`, and the digests of its spans if its build id is a hash (`is_hashed`).
pub fn build(elf: &Unwritten<'_>, writer: &Writer<'_>, is_hashed: bool) -> (Vec<u8>, Vec<u128>) {
    let bytes = spans::in_memory(elf.parts, elf.size, |part, out| writer.fill(part, out));
    let digests: Vec<u128> = if is_hashed {
        let of = |span: &Span| {
            if span.parts.is_empty() {
                span_digest(&(span.bytes.end - span.bytes.start).to_le_bytes())
            } else {
                span_digest(&bytes[span.bytes.wide()])
            }
        };
        elf.spans.iter().map(of).collect()
    } else {
        Vec::new()
    };
    (bytes, digests)
}

/// Whether the output is converted from an ELF file that is built in memory: `--oformat`.
pub fn is_made_of_another(options: &Options) -> bool {
    options.output_format != OutputFormat::Elf
}

/// Writes the file of `--out-implib`, before the output gets its name.
pub fn write_import_library(
    options: &Options,
    image: &Image<'_>,
    plan: &Plan,
) -> Result<Option<Output>> {
    let Some(path) = &options.out_implib else { return Ok(None) };
    let object = plan.symtab.as_ref().and_then(|symtab| import_library::make(image, symtab));
    let none = || Error(format!("{}: no symbol found for import library", path.display()));
    write_bytes(options, path, &object.ok_or_else(none)?, false).map(Some)
}

/// Writes `elf` in the format of `--oformat`; the caller gives the file its name.
pub fn write_image(options: &Options, elf: &[u8]) -> Result<Output> {
    let name = options.output.to_string_lossy();
    let file = convert(elf, options.output_format, &name)?;
    let output = Output::create(&OutputPlan {
        path: options.output.clone(),
        size: file.size,
        mode: permission_bits(true),
        is_executable_kind: false,
        atomic: options.atomic_output,
        mmap: options.mmap_output,
    })?;
    let mut at = 0;
    for (offset, bytes) in &file.runs {
        if *offset > at {
            output.leave_zeros(at, offset - at)?;
        }
        output.write_span(*offset, bytes.len(), |out| out.copy_from_slice(bytes))?;
        at = offset + bytes.len() as u64;
    }
    Ok(output)
}

/// `--force-exe-suffix`: copies the finished output to a name with `.exe`, for systems that only
/// start files with that suffix. An output that is no regular file is not copied.
pub fn write_exe(options: &Options, output: &Path) -> Result<()> {
    let suffix = output.extension().unwrap_or_default();
    let has_suffix = ["exe", "dll"].iter().any(|known| suffix.eq_ignore_ascii_case(known));
    let is_asked = options.force_exe_suffix && options.kind != OutputKind::Relocatable;
    if !is_asked || has_suffix || !output.is_file() {
        return Ok(());
    }
    let mut copy = output.as_os_str().to_owned();
    copy.push(".exe");
    let bytes = std::fs::read(output)
        .map_err(|error| Error(format!("{}: {}", output.display(), errors::text(&error))))?;
    write_bytes(options, Path::new(&copy), &bytes, true)?.commit()
}

fn write_bytes(options: &Options, path: &Path, bytes: &[u8], executable: bool) -> Result<Output> {
    let output = Output::create(&OutputPlan {
        path: path.to_owned(),
        size: bytes.len() as u64,
        mode: permission_bits(executable),
        is_executable_kind: false,
        atomic: options.atomic_output,
        mmap: options.mmap_output,
    })?;
    let spans: Vec<&[u8]> = bytes.chunks(SPAN).collect();
    spans.into_par_iter().enumerate().try_for_each(|(at, span)| {
        output.write_span((at * SPAN) as u64, span.len(), |out| out.copy_from_slice(span))
    })?;
    Ok(output)
}
