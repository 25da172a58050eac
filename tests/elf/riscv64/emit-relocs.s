# --emit-relocs has types that files may contain, of the instructions as they are.
//# driver: ld
//# link: -e _start --emit-relocs
//# section: .rela.text
//# reloc: R_RISCV_JAL section=.text
//# no-reloc: R_RISCV_CALL_PLT section=.text
//# check: ! readelf -rW $OUT | grep -q unrecognized
//# peers: none
.globl _start
_start:
.option push
.option norelax
  la gp, __global_pointer$
.option pop
  call f
  lw a0, near
  ret
f: ret
.section .sdata,"aw"
.zero 64
near: .word 1
