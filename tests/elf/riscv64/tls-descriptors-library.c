// A library with descriptors: the loader gets the words of each, and code finds them.
//# cc: clang-19
//# compile: -O1 -fPIC -mtls-dialect=desc
//# link: -shared
//# reloc: R_RISCV_TLSDESC symbol=exported
//# reloc: R_RISCV_TLSDESC symbol=
//# no-reloc: R_RISCV_TLS_DTPMOD64
//# peers: lld
__thread int exported = 4;
static __thread int hidden;
int from_library(void) { return exported + ++hidden; }
