# With MEMORY every loaded section has to be in a region: of its own, or one that fits its flags. With
# --no-check-sections that is a warning, and with -r nothing.
//# driver: ld
//# variant: error: -T layout.ld
//# variant: unchecked: --no-check-sections -T layout.ld
//# variant: joined: -r -T layout.ld
//# link: main.o -z noexecstack --no-warn-rwx-segments
//# @error expect-error: layout\.ld:4: no memory region is given for section \.data, and none fits its flags
//# @unchecked warning: layout\.ld:4: no memory region is given for section \.data, and none fits its flags
//# peers: none
.globl _start
_start: ret
.data
.byte 1
//# file: layout.ld
MEMORY { ROM (rx) : ORIGIN = 0x1000, LENGTH = 4K }
SECTIONS {
    .text : { *(.text) }
    .data : { *(.data) }
    .given 0x9000 : { *(.given) }
}
