// An emulation that there is not.
//# peers: none
//# link: -Wl,-m,elf_x86-64
//# error-text: ld: error: -m: bad value 'elf_x86-64': expected elf_x86_64, elf_x86_64_fbsd or elf_amd64_fbsd
int main(void) { return 0; }
