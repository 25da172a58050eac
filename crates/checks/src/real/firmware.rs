//! SeaBIOS of Debian's sources: 16-bit and 32-bit code in one image, laid out by scripts that its
//! own tool makes from what `-r` links left. In a machine with this firmware, and with nothing else
//! than a boot sector, that sector must run.

use super::machine::PC_32;
use super::{Done, Place, debian, is_installed, output, skip_if_offline};
use crate::Result;
use skald_testkit::linker::Way;
use std::path::Path;
use std::process::Command;

/// Programs that the build calls.
const TOOLS: [&str; 4] = ["make", "gcc", "python3", "apt-get"];

/// A boot sector that writes to the serial port and resets the machine.
const SECTOR: &str = ".code16
.globl _start
_start:
  xor %ax, %ax
  mov %ax, %ds
  mov $text, %si
  mov $0x3f8, %dx
next:
  lodsb
  test %al, %al
  jz end
  out %al, %dx
  jmp next
end:
  mov $0xfe, %al
  out %al, $0x64
  hlt
text: .asciz \"the sector runs\\r\\n\"
.org 510
.word 0xaa55
";

const LINK_SECTOR: &str = "as --32 sector.s -o sector.o && \
    $LD -m elf_i386 -Ttext 0x7c00 --oformat binary sector.o -o sector.bin";

pub(super) fn seabios(place: &Place) -> Result<Done> {
    if !PC_32.is_there() {
        return Ok(Done::Skipped(format!("there is no {}", PC_32.qemu)));
    }
    if let Some(tool) = TOOLS.iter().find(|tool| !is_installed(tool, "--version")) {
        return Ok(Done::Skipped(format!("there is no {tool}")));
    }
    let source = match debian::source(place, "seabios") {
        Ok(source) => source,
        Err(message) => return skip_if_offline(message),
    };
    let project = place.project("seabios", &[("sector.s", SECTOR)])?;
    let linker = place.linker.directory(Way::Plain).join("ld");
    let build = "rm -rf out && make -s LD=\"$LD\" EXTRAVERSION=-proof";
    for (script, directory) in [(build, &source), (LINK_SECTOR, &project)] {
        let mut shell = Command::new("sh");
        output(shell.args(["-c", script]).env("LD", &linker).current_dir(directory))?;
    }
    let sector = format!("file={},format=raw", text(&project.join("sector.bin"))?);
    let firmware = source.join("out/bios.bin");
    let arguments = ["-bios", text(&firmware)?, "-drive", &sector, "-m", "32"];
    PC_32.writes(&arguments, &["SeaBIOS (version", "the sector runs"])?;
    Ok(Done::Right)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))
}
