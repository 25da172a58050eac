// --zero-to-bss: writable sections of zeros take no space in the file.
//# compile: -fno-zero-initialized-in-bss -fdata-sections
//# variant: on: -Wl,--zero-to-bss
//# variant: off:
//# run: exit=3
//# @on section: zeros type=NOBITS
//# @on section: .data size<1000
//# @on section: .bss size>=4000
//# @off section: zeros type=PROGBITS
//# @off section: .data size>=4000
//# peers:
int one = 1, two = 2;
int zero[1000] = {0};
__attribute__((section("zeros"))) int named[10] = {0};
int main(void) { return one + two + zero[7] + named[3]; }
