// Features that all inputs have are features of the output; options report those that lack them.
//# variant: all: both.o
//# variant: some: both.o bti.o
//# variant: never: both.o -z gcs=never
//# variant: always: bti.o -z gcs=always
//# variant: report: both.o bti.o -z gcs-report=error
//# variant: warning: main.o -z bti-report=warning
//# variant: forced: main.o -z force-bti -z bti-report=warning
//# link: -shared
//# @all check: readelf -nW $OUT | grep -q 'AArch64 feature: BTI, PAC, <unknown: 4>\|BTI, PAC, GCS'
//# @some check: readelf -nW $OUT | grep -q 'AArch64 feature: BTI$'
//# @never check: readelf -nW $OUT | grep -q 'AArch64 feature: BTI, PAC$'
//# @always check: readelf -nW $OUT | grep -q 'AArch64 feature: BTI.*[4G]'
//# @report expect-error: bti.o: -z gcs-report: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_GCS property
//# @warning,forced warning: main.o: -z bti-report: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_BTI property
//# @forced no-warning: -z force-bti
//# peers: none
.text
.section .note.GNU-stack,"",@progbits
//# file: both.s
.macro property bits
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, \bits, 0
.endm
property 7
.section .note.GNU-stack,"",@progbits
//# file: bti.s
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 1, 0
.section .note.GNU-stack,"",@progbits
