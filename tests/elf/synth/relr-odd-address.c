// Words at odd addresses cannot be packed: they keep their relocations.
//# link: -pie -Wl,-z,pack-relative-relocs,--section-start=.odd=0x100001
//# reloc: R_X86_64_RELATIVE place=symbol(pointer).value
//# lint-except: section-align the option says so
//# peers:
__attribute__((section(".odd"), used)) void *pointer = &pointer;
int main(void) { return 0; }
