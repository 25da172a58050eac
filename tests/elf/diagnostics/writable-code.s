// A segment that is both writable and executable is worth a warning, unless that is switched off.
//# @default machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le its PLT is not written by the loader
//# @default,asked,not-wanted lint-except: writable-code a section of its input is
//# variant: default:
//# variant: asked: --warn-rwx-segments
//# variant: not-wanted: --no-warn-rwx-segments
//# variant: error: --error-rwx-segments
//# peers: ld
//# link: -static
//# @default,asked warning: LOAD segment with RWX permissions
//# @not-wanted no-warning: RWX
//# @error expect-error: LOAD segment with RWX permissions
.globl _start
_start:
  nop
.section .both,"awx"
  nop
.section .note.GNU-stack,"",@progbits
