// -z max-page-size is the alignment of the segments.
//# @small machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le the emulator has larger pages elsewhere
//# variant: small: -Wl,-z,max-page-size=0x1000
//# variant: large: -Wl,-z,max-page-size=0x200000
//# run
//# @small no-segment: LOAD align!=0x1000
//# @large no-segment: LOAD align!=0x200000
int main(void) { return 0; }
