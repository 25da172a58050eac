// An emulation that there is not.
//# peers: none
//# link: -Wl,-m,elf_x86-64
//# error-text: ld: error: -m: bad value 'elf_x86-64': expected elf_x86_64, elf32_x86_64, aarch64linux, aarch64linuxb, elf_i386, elf64lriscv, elf64briscv, elf32lriscv, elf32briscv, m68kelf, elf64_s390, elf64lppc, elf64ppc, elf64_sparc, armelf_linux_eabi, armelfb_linux_eabi, elf64loongarch, elf32loongarch, shlelf_linux, shelf_linux, elf64ltsmip, elf64btsmip, elf32ltsmipn32, elf32btsmipn32, elf32ltsmip, elf32btsmip, elf_x86_64_fbsd, elf_amd64_fbsd, aarch64elf, aarch64fbsd, aarch64elfb, aarch64fbsdb, elf_i386_fbsd, elf64lriscv_lp64f, elf64lriscv_lp64, elf64briscv_lp64f, elf64briscv_lp64, elf32lriscv_ilp32f, elf32lriscv_ilp32, elf32briscv_ilp32f, elf32briscv_ilp32, m68kelfnbsd, armelf, armelf_linux, armelf_fbsd, armelfb, armelfb_linux, armelfb_fbsd, elf64ltsmip_fbsd, elf64btsmip_fbsd, elf32ltsmipn32_fbsd, elf32btsmipn32_fbsd, elf32ltsmip_fbsd or elf32btsmip_fbsd
int main(void) { return 0; }
