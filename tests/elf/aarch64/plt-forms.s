// The forms of the PLT, and what the loader is told of them.
//# variant: plain:
//# variant: bti: -z force-bti
//# variant: pac: -z pac-plt
//# variant: both: -z force-bti -z pac-plt
//# link: -shared
//# @plain disasm: * stp x16, x30, \[sp, #-16\]!\n.*adrp x16, .*\n.*ldr x17, \[x16, #[0-9]+\]\n.*add x16, x16, .*\n.*br x17
//# @bti,both disasm: * bti c\n.*stp x16, x30
//# @pac,both disasm: * autia1716\n.*br x17
//# @plain,pac no-disasm: * bti
//# @plain,bti no-disasm: * autia1716
//# @bti,both dynamic: AARCH64_BTI_PLT
//# @pac,both dynamic: AARCH64_PAC_PLT
//# @plain,pac no-dynamic: AARCH64_BTI_PLT
//# @plain,bti no-dynamic: AARCH64_PAC_PLT
//# @bti,both note: GNU type=5
//# @bti,both warning: force-bti
//# reloc: R_AARCH64_JUMP_SLOT symbol=function
//# dynamic: PLTGOT value=section(.got.plt).address
.globl f
.type f, %function
f: b function
.size f, . - f
.section .note.GNU-stack,"",@progbits
