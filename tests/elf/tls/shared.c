// A library's TLS in the dynamic models and the program's own use of it.
//# driver: gcc
//# variant: gd: main.o libx.so | -ftls-model=global-dynamic
//# variant: ld: main.o libx.so | -ftls-model=local-dynamic
//# variant: ie: main.o libx.so | -ftls-model=initial-exec
//# variant: desc: main.o libx.so | -mtls-dialect=gnu2
//# compile: -fPIC -O1
//# shared: libx.so lib.o
//# run: exit=42
//# look-at: libx.so
//# @gd reloc: R_X86_64_DTPMOD64 symbol=shared
//# @gd reloc: R_X86_64_DTPOFF64 symbol=shared
//# @ld reloc: R_X86_64_DTPMOD64
//# @ie reloc: R_X86_64_TPOFF64 symbol=shared
//# @ie dynamic: FLAGS value~STATIC_TLS
//# @gd,desc no-dynamic: FLAGS value~STATIC_TLS
//# @desc reloc: R_X86_64_TLSDESC symbol=shared
#ifndef LIB
int get(void);
extern _Thread_local int shared __attribute__((tls_model("initial-exec")));
int main(void) { return shared + get(); }
#endif
//# file: lib.c
static _Thread_local int local = 10;
_Thread_local int shared = 16;
int get(void) { return local++ + shared; }
