// Memory tagging: the note of Android, and entries of .dynamic, as lld has them.
//# variant: sync: --android-memtag-mode=sync --android-memtag-heap
//# variant: async: --android-memtag-mode=async --android-memtag-stack
//# variant: gnu: -z memtag-mode=async -z memtag-stack
//# variant: none: --android-memtag-heap
//# link: -shared
//# @sync,async word32: section(.note.android.memtag).address = 8
//# @sync,async word32: section(.note.android.memtag).address+4 = 4
//# @sync,async word32: section(.note.android.memtag).address+8 = 4
//# @sync,async bytes: section(.note.android.memtag).address+12 = 41 6e 64 72 6f 69 64 00
//# @sync word32: section(.note.android.memtag).address+20 = 6
//# @async word32: section(.note.android.memtag).address+20 = 9
//# @sync section: .note.android.memtag type=NOTE size=24
//# @gnu,none no-section: .note.android.memtag
//# @sync dynamic: AARCH64_MEMTAG_MODE value=0
//# @sync dynamic: AARCH64_MEMTAG_HEAP value=1
//# @sync dynamic: AARCH64_MEMTAG_STACK value=0
//# @async,gnu dynamic: AARCH64_MEMTAG_MODE value=1
//# @async,gnu dynamic: AARCH64_MEMTAG_HEAP value=0
//# @async,gnu dynamic: AARCH64_MEMTAG_STACK value=1
//# @none no-dynamic: AARCH64_MEMTAG_MODE
//# @none warning: --android-memtag-mode is unspecified, leaving --android-memtag-heap a no-op
//# peers:
.globl f
f: ret
.section .note.GNU-stack, "", @progbits
