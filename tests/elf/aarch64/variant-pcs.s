// A function with a calling convention of its own is marked in .dynsym, and the loader is told that the
// PLT calls such functions.
//# link: -shared
//# dynamic: AARCH64_VARIANT_PCS
//# dynsym: function other=128 section=UND
//# dynsym: own other=128
//# dynsym: plain other=0
.globl own
.type own, %function
.variant_pcs own
own: bl function
  bl plain
.size own, . - own
.variant_pcs function
.section .note.GNU-stack,"",@progbits
