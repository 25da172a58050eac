# Labels of the compiler are left out of the symbol table, as by -X, unless --discard-none keeps them.
# -r and --emit-relocs keep those that relocations refer to, and --emit-relocs all others too.
//# driver: ld
//# compile: -Wa,-L
//# variant: program: -e _start
//# variant: kept: -e _start --discard-none
//# variant: joined: -r
//# variant: emitted: -e _start --emit-relocs
//# @kept symbol: .Lplain
//# @program,joined no-symbol: .Lplain
//# @joined,emitted,kept symbol: .Lused
//# @program no-symbol: .Lused
//# symbol: named
//# peers: ld
.globl _start
_start:
.Lused: auipc a0, %pcrel_hi(data)
  addi a0, a0, %pcrel_lo(.Lused)
named: ret
.Lplain: ret
.data
data: .word 1
