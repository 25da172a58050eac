//! Adds options that text scripts among the inputs set for the output. The command line takes
//! precedence.

use crate::args::options::OutputFormat;
use crate::args::{Options, OutputKind};
use crate::read::candidates::Candidates;
use crate::script::text_script::Command;
use skald_core::diag::{Diag, WHOLE_LINK};
use std::borrow::Cow;

/// `options` with what scripts ask for.
pub fn with_scripts<'a>(
    options: &'a Options,
    candidates: &Candidates,
    diag: &Diag,
) -> Cow<'a, Options> {
    let mut changed = Cow::Borrowed(options);
    for placed in &candidates.script_commands {
        let fail = |text: String| diag.error(WHOLE_LINK, format!("{}: {text}", placed.place()));
        carry_out(&mut changed, &placed.command, &fail);
    }
    changed
}

fn carry_out(options: &mut Cow<'_, Options>, command: &Command, fail: &dyn Fn(String)) {
    match command {
        Command::Output(path) if !options.output_is_given => {
            // If there are several `OUTPUT` commands, the first holds, as in GNU ld.
            let options = options.to_mut();
            options.name_output(path.clone());
            options.output_is_given = true;
        }
        Command::OutputFormat { .. } => {
            let Some(name) = command.output_format(options.format_choice) else { return };
            if let Some(os_abi) = options.machine.format_of(name) {
                // A plain format name does not override `-m`.
                if os_abi.is_some() {
                    options.to_mut().os_abi = os_abi;
                }
            } else if let Some(format) = format(options, name, fail) {
                options.to_mut().output_format = format;
            }
        }
        Command::OutputArch(name) if !options.machine.has_architecture(name) => {
            let name = String::from_utf8_lossy(name);
            fail(format!("OUTPUT_ARCH: cannot represent machine '{name}'"));
        }
        Command::DefineCommon(true) => options.to_mut().define_common = true,
        Command::DefineCommon(false) if options.kind != OutputKind::Shared => {
            fail("INHIBIT_COMMON_ALLOCATION may not be used without -shared".to_owned());
        }
        Command::DefineCommon(false) => options.to_mut().no_define_common = true,
        Command::ForceGroupAllocation => {
            options.to_mut().arrangement.force_group_allocation = true;
        }
        _ => {}
    }
}

/// The output format that a script names, if it is not an ELF format.
fn format(options: &Options, name: &[u8], fail: &dyn Fn(String)) -> Option<OutputFormat> {
    let format = match name {
        b"binary" => OutputFormat::Binary,
        b"srec" => OutputFormat::Srec,
        b"symbolsrec" => OutputFormat::SymbolSrec,
        b"ihex" => OutputFormat::Ihex,
        b"verilog" => OutputFormat::Verilog,
        name => {
            let name = String::from_utf8_lossy(name);
            fail(format!("OUTPUT_FORMAT: unknown output format name: {name}"));
            return None;
        }
    };
    if options.output_format_is_given || options.output_format != OutputFormat::Elf {
        return None;
    }
    if let Some(other) = options.needs_elf() {
        let name = String::from_utf8_lossy(name);
        fail(format!("OUTPUT_FORMAT({name}) and {other} may not be used together"));
    }
    Some(format)
}
