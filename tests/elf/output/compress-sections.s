// --compress-sections compresses sections that are not loaded and match; the last pattern that
// matches holds.
//# link: -static --compress-sections=notes*=zlib --compress-sections=notes_plain=none
//# section: notes_long flags~C
//# no-section: notes_plain flags~C
//# no-section: other flags~C
//# peers: lld
.globl _start
_start: nop
.section notes_long,"",@progbits
.fill 5000, 1, 0x61
.section notes_plain,"",@progbits
.fill 5000, 1, 0x61
.section other,"",@progbits
.fill 5000, 1, 0x61
.section .note.GNU-stack,"",@progbits
