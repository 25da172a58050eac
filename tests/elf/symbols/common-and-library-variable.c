// A common symbol shares the variable of a library: if that is zero at first, the larger size and
// alignment hold; if it has a value, the variable is the library's.
//# driver: gcc
//# compile: -fcommon
//# shared: libzero.so zero.o fill.o
//# shared: libvalue.so value.o fill.o
//# variant: zero: main.o libzero.so | -fPIE -DFIRST=0
//# @zero dynsym: buffer size=64 section=.bss value%64
//# @zero symbol: buffer size=64 type=OBJECT
//# variant: value: main.o libvalue.so | -fPIE -DFIRST=5
//# @value reloc: R_X86_64_COPY symbol=buffer
//# @value dynsym: buffer size=64 value%64
//# variant: got: main.o libvalue.so | -fPIC -DFIRST=5
//# @got reloc: R_X86_64_GLOB_DAT symbol=buffer
//# @got dynsym: buffer section=UND
//# variant: shared: -shared main.o libvalue.so | -fPIC -DFIRST=5
//# @shared dynsym: buffer section=UND
//# @zero,value,got run: exit=0
//# peers: ld
char buffer[4];
char behind[64];
void fill(void);
int main(void) {
    if (buffer[0] != FIRST || (long)buffer % 64 != 0) return 1;
    fill();
    for (int i = 0; i < 64; i++)
        if (behind[i] != 0) return 2;
    return buffer[3] == 7 ? 0 : 3;
}
//# file: zero.c -fPIC
__attribute__((aligned(64))) char buffer[64];
//# file: value.c -fPIC
__attribute__((aligned(64))) char buffer[64] = {5};
//# file: fill.c -fPIC
extern char buffer[64];
void fill(void) {
    for (int i = 1; i < 64; i++) buffer[i] = 7;
}
