// The PLT has unwind information, unless --no-ld-generated-unwind-info says otherwise.
//# @ibt machines: x86-64 the PLT has code of x86-64
//# machines: x86-64 i386 x32 the PLT has code of x86
//# compile: -fPIE -O1
//# requires: readelf
//# variant: default: -Wl,-z,lazy
//# variant: ibt: -Wl,-z,lazy,-z,ibtplt
//# variant: none: -Wl,-z,lazy,--no-ld-generated-unwind-info
//# variant: again: -Wl,-z,lazy,--no-ld-generated-unwind-info,--ld-generated-unwind-info
//# link: -pie
//# run: stdout="x\n"
//# @default,again check: readelf --debug-dump=frames $OUT | grep 'DW_CFA_def_cfa_expression.*DW_OP_lit11; DW_OP_ge'
//# @ibt check: start=$(readelf -SW $OUT | sed -n 's/.* \.plt *PROGBITS *\([0-9a-f]*\).*/\1/p'); readelf --debug-dump=frames $OUT | grep -A9 "pc=$start" | grep 'DW_CFA_def_cfa_offset: 24'
//# @none check: ! readelf --debug-dump=frames $OUT | grep 'DW_CFA_def_cfa_expression.*DW_OP_lit11'
//# peers:
#include <stdio.h>
int main(void) { puts("x"); }
