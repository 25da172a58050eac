// -z separate-code keeps code away from headers and data, page by page.
//# @yes,no machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le its PLT is not written by the loader
//# variant: yes: -Wl,-z,separate-code
//# variant: no: -Wl,-z,noseparate-code
//# run
//# @yes segment: LOAD flags=RX sections~\.text
//# @yes no-segment: LOAD flags=RX sections~rodata
//# no-segment: LOAD flags=RWX
int main(void) { return 0; }
