// -z report-relative-reloc lists the relative relocations of input sections.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,-z,report-relative-reloc
//# says: R_X86_64_RELATIVE \(offset: 0x[0-9a-f]+, info: 0x8, addend: 0x[0-9a-f]+\) against 'word' for section '\.data\.rel\.local' in .*main\.o
//# peers: ld
__attribute__((visibility("hidden"))) int word;
int *pointer = &word;
