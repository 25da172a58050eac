// An emulation that there is not.
//# peers: none
//# link: -Wl,-m,elf_x86-64
//# error-text: ld: error: -m: bad value 'elf_x86-64': expected elf_x86_64, elf32_x86_64, aarch64linux, aarch64linuxb, elf_i386, elf_x86_64_fbsd, elf_amd64_fbsd, aarch64elf, aarch64fbsd, aarch64elfb, aarch64fbsdb or elf_i386_fbsd
int main(void) { return 0; }
