// Two sections at one address are an error, and --no-check-sections allows them.
//# variant: checked:
//# variant: unchecked: --no-check-sections
//# peers: ld lld
//# link: -static --section-start=.more=0x601000 --section-start=.text=0x601000
//# @checked expect-error: section .* overlaps
//# @unchecked section: .more address=0x601000
//# @unchecked section: .text address=0x601000
//# @unchecked lint-except: section-address-overlap it is asked for
//# @unchecked lint-except: load-order it is asked for
//# @unchecked lint-except: section-offset it is asked for
.globl _start
_start:
  nop
.section .more,"ax"
  nop
.section .note.GNU-stack,"",@progbits
