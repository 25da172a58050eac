# A library's calls go through entries that load the word of the function, and a first one that
# leads to the loader.
//# driver: ld
.globl f
.type f, @function
f:
  bl g
  pcaddu18i $ra, %call36(h)
  jirl $ra, $ra, 0
  ret
//# link: -shared
//# reloc: R_LARCH_JUMP_SLOT symbol=g
//# reloc: R_LARCH_JUMP_SLOT symbol=h
//# section: .plt size=64 entsize=16
//# section: .got.plt size=32
//# disasm: * pcaddu12i \$t2, \d+.*\n.*sub.d \$t1, \$t1, \$t3.*\n.*ld.d \$t3, \$t2, -?\d+.*\n.*addi.d \$t1, \$t1, -44
//# disasm: * pcaddu12i \$t3, \d+.*\n.*ld.d \$t3, \$t3, -?\d+.*\n.*jirl \$t1, \$t3, 0.*\n.*nop
//# peers: lld
