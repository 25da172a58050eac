//! A program for UEFI, with Debian's gnu-efi: its script lays out a shared library like a PE image,
//! objcopy converts it into one, and its start files relocate it.

use super::{Done, Place, debian, is_installed, machine, output, skip_if_offline};
use crate::Result;
use skald_testkit::linker::Way;
use std::path::Path;
use std::process::Command;

/// The words are reached through pointers that the start files relocate.
const PROGRAM: &str = r#"#include <efi.h>
#include <efilib.h>
static CHAR16 *words[] = { L"code", L"data", L"relocations" };
static UINTN calls;
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table) {
  InitializeLib(image, table);
  for (UINTN at = 0; at < 3; at++, calls++) Print(L"%s ", words[at]);
  Print(L"%d\n", calls * 14);
  uefi_call_wrapper(table->RuntimeServices->ResetSystem, 4, EfiResetShutdown, EFI_SUCCESS, 0, NULL);
  return EFI_SUCCESS;
}
"#;

const COMPILE: &str = "gcc -I$EFI/include/efi -I$EFI/include/efi/x86_64 -fpic -ffreestanding \
    -fno-stack-protector -fno-stack-check -fshort-wchar -mno-red-zone -maccumulate-outgoing-args \
    -DGNU_EFI_USE_MS_ABI -c program.c";

const LINK: &str = "$LD -nostdlib -znocombreloc -shared -Bsymbolic -T $EFI/lib/elf_x86_64_efi.lds \
    -L$EFI/lib $EFI/lib/crt0-efi-x86_64.o program.o -o program.so -lefi -lgnuefi";

const CONVERT: &str = "mkdir -p disk/EFI/BOOT && objcopy -j .text -j .sdata -j .data -j .dynamic \
    -j .dynsym -j .rel -j .rela -j '.rel.*' -j '.rela.*' -j .reloc --target efi-app-x86_64 \
    --subsystem=10 program.so disk/EFI/BOOT/BOOTX64.EFI";

pub(super) fn application(place: &Place) -> Result<Done> {
    if !machine::is_there() {
        return Ok(Done::Skipped("there is no qemu-system-x86_64".to_owned()));
    }
    if !is_installed("gcc", "--version") {
        return Ok(Done::Skipped("there is no gcc".to_owned()));
    }
    let packages = ["gnu-efi", "ovmf"].map(|package| debian::files(place, package));
    let [library, firmware] = match packages {
        [Ok(library), Ok(firmware)] => [library, firmware],
        [Err(message), _] | [_, Err(message)] => return skip_if_offline(message),
    };
    let project = place.project("efi", &[("program.c", PROGRAM)])?;
    let linker = place.linker.directory(Way::Plain).join("ld");
    for script in [COMPILE, LINK, CONVERT] {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).env("EFI", library.join("usr")).env("LD", &linker);
        output(shell.current_dir(&project))?;
    }
    let disk = format!("file=fat:rw:{},format=raw", project.join("disk").display());
    let firmware = firmware.join("usr/share/ovmf/OVMF.fd");
    let arguments = ["-bios", text(&firmware)?, "-drive", &disk, "-m", "128"];
    machine::writes(&arguments, &["code data relocations 42"])?;
    Ok(Done::Right)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))
}
