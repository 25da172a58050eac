// -z noreloc-overflow leaves 32-bit addresses in position-independent output to the loader.
//# variant: default: -z reloc-overflow
//# variant: off: -z noreloc-overflow
//# link: -shared
//# @default expect-error: R_X86_64_32 cannot be used
//# @off reloc: R_X86_64_32 place=symbol(words).value symbol=imported addend=4
//# @off reloc: R_X86_64_32 place=symbol(words).value+4 addend=symbol(own).value+1
//# peers:
.globl words
.data
words: .long imported+4
.long own+1
.hidden own
.globl own
own: .quad 0
