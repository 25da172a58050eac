//! Programs for UEFI, with Debian's gnu-efi: its script lays out a shared library like a PE image,
//! objcopy converts it into one, and its start files relocate it.

use super::machine::{ARM, Machine, PC};
use super::{Done, Place, debian, is_installed, output, skip_if_offline};
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

/// A machine whose firmware starts the program.
struct Target {
    name: &'static str,
    /// Its name in gnu-efi, and in Debian where that is another machine.
    arch: &'static str,
    debian: Option<&'static str>,
    /// What the names of its compiler and tools begin with.
    cross: &'static str,
    /// Further options of the compiler.
    compile: &'static str,
    /// How objcopy makes an image; it knows that of one machine, and for others gnu-efi's start
    /// files have its headers.
    convert: &'static str,
    /// The file of a disk that the firmware starts.
    file: &'static str,
    machine: Machine,
    /// The firmware: a package, and its file.
    firmware: [&'static str; 2],
}

const X86_64: Target = Target {
    name: "efi",
    arch: "x86_64",
    debian: None,
    cross: "",
    compile: "-mno-red-zone -maccumulate-outgoing-args -DGNU_EFI_USE_MS_ABI",
    convert: "--target efi-app-x86_64 --subsystem=10",
    file: "BOOTX64.EFI",
    machine: PC,
    firmware: ["ovmf", "usr/share/ovmf/OVMF.fd"],
};

const AARCH64: Target = Target {
    name: "efi-arm64",
    arch: "aarch64",
    debian: Some("arm64"),
    cross: "aarch64-linux-gnu-",
    compile: "-DCONFIG_aarch64",
    convert: "-O binary",
    file: "BOOTAA64.EFI",
    machine: ARM,
    firmware: ["qemu-efi-aarch64", "usr/share/AAVMF/AAVMF_CODE.fd"],
};

const COMPILE: &str = "${CROSS}gcc -I$EFI/include/efi -I$EFI/include/efi/$ARCH -fpic -ffreestanding \
    -fno-stack-protector -fno-stack-check -fshort-wchar $COMPILE -c program.c";

const LINK: &str = "$LD -nostdlib -znocombreloc -shared -Bsymbolic --defsym=EFI_SUBSYSTEM=10 \
    -T $EFI/lib/elf_${ARCH}_efi.lds -L$EFI/lib $EFI/lib/crt0-efi-$ARCH.o program.o \
    -o program.so -lefi -lgnuefi $(${CROSS}gcc -print-libgcc-file-name)";

const CONVERT: &str = "mkdir -p disk/EFI/BOOT && ${CROSS}objcopy -j .text -j .sdata -j .data \
    -j .dynamic -j .dynsym -j '.rel*' -j .reloc $CONVERT program.so disk/EFI/BOOT/$FILE";

pub(super) fn application(place: &Place) -> Result<Done> {
    X86_64.prove(place)
}

pub(super) fn application_aarch64(place: &Place) -> Result<Done> {
    AARCH64.prove(place)
}

impl Target {
    fn prove(&self, place: &Place) -> Result<Done> {
        let compiler = format!("{}gcc", self.cross);
        for tool in [self.machine.qemu, &compiler] {
            if !is_installed(tool, "--version") {
                return Ok(Done::Skipped(format!("there is no {tool}")));
            }
        }
        let [firmware, file] = self.firmware;
        let packages =
            [debian::files_for(place, self.debian, "gnu-efi"), debian::files(place, firmware)];
        let [library, firmware] = match packages {
            [Ok(library), Ok(firmware)] => [library, firmware],
            [Err(message), _] | [_, Err(message)] => return skip_if_offline(message),
        };
        let project = place.project(self.name, &[("program.c", PROGRAM)])?;
        for script in [COMPILE, LINK, CONVERT] {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).env("EFI", library.join("usr"));
            shell.env("LD", place.linker.directory(Way::Plain).join("ld"));
            shell.env("ARCH", self.arch).env("CROSS", self.cross).env("FILE", self.file);
            shell.env("COMPILE", self.compile).env("CONVERT", self.convert);
            output(shell.current_dir(&project))?;
        }
        let disk = format!("file=fat:rw:{},format=raw,if=virtio", project.join("disk").display());
        let firmware = firmware.join(file);
        let arguments = ["-bios", text(&firmware)?, "-drive", &disk, "-m", "256"];
        self.machine.writes(&arguments, &["code data relocations 42"])?;
        Ok(Done::Right)
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| format!("{}: no UTF-8", path.display()))
}
