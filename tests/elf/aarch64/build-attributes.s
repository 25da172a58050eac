// Build attributes say of a file what its properties say: features are those of all files, and the output has
// them as properties. A file whose attributes and properties for signed pointers differ is refused.
//# variant: one: -shared
//# variant: two: -shared bti.o
//# variant: property: -shared note.o
//# variant: relocatable: -r bti.o
//# variant: conflict: -shared conflict.o
//# variant: features: -shared features.o
//# variant: no-features: -shared zeros.o
//# variant: missing: -shared bti.o -z gcs-report=warning
//# variant: damaged: -shared damaged.o
//# @one,property check: llvm-readelf-19 -n $OUT | grep -q 'feature: BTI, PAC, GCS'
//# @two,missing check: llvm-readelf-19 -n $OUT | grep -q 'feature: BTI$'
//# @one,two,relocatable check: llvm-readelf-19 -n $OUT | grep -q 'PAuth ABI core info: platform 0x31 .*version 0x13'
//# @one,two,relocatable no-section: .ARM.attributes
//# @relocatable section: .note.gnu.property count=1
//# @conflict expect-error: conflict.o: GNU properties and build attributes have conflicting AArch64 PAuth data
//# @features expect-error: features.o: GNU properties and build attributes have conflicting features
//# @no-features no-warning: .
//# @missing warning: bti.o: -z gcs-report: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_GCS property
//# @damaged warning: damaged.o:\(.ARM.attributes\): invalid size of an attributes subsection at offset 0x1
//# @damaged check: ! llvm-readelf-19 -n $OUT | grep -q feature
//# requires: llvm-readelf-19
//# peers: none
.include "attributes.inc"
subsection private_x 1 1, 1
subsection aeabi_pauthabi 0 1, 49, 2, 19
subsection aeabi_feature_and_bits 1 0, 1, 1, 1, 2, 1
//# file: attributes.inc
.macro subsection name optional tags:vararg
9: .word 8f - 9b
.asciz "\name"
.byte \optional, 0, \tags
8:
.endm
.section .note.GNU-stack,"",@progbits
.section .ARM.attributes,"",%0x70000003
.byte 'A'
//# file: bti.s
.include "attributes.inc"
subsection aeabi_feature_and_bits 1 0, 1, 1, 0, 2, 0
//# file: note.s
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 7, 0
.section .note.GNU-stack,"",@progbits
//# file: conflict.s
.include "attributes.inc"
subsection aeabi_pauthabi 0 1, 49, 2, 20
.section .note.gnu.property,"a"
.balign 8
.word 4, 24, 5
.asciz "GNU"
.word 0xc0000001, 16
.xword 49, 19
//# file: features.s
.include "attributes.inc"
subsection aeabi_feature_and_bits 1 0, 1, 1, 0, 2, 0
.section .note.gnu.property,"a"
.balign 8
.word 4, 40, 5
.asciz "GNU"
.word 0xc0000000, 4, 2, 0
.word 0xc0000001, 16
.xword 49, 19
//# file: zeros.s
.include "attributes.inc"
subsection aeabi_feature_and_bits 1 0, 0, 1, 0, 2, 0
.section .note.gnu.property,"a"
.balign 8
.word 4, 40, 5
.asciz "GNU"
.word 0xc0000000, 4, 2, 0
.word 0xc0000001, 16
.xword 49, 19
//# file: damaged.s
.include "attributes.inc"
.word 100
.asciz "aeabi_pauthabi"
