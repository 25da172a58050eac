# The note of --build-id may be discarded: the output has none then, of any kind and in any format, and
# it is said in GNU ld's words.
//# driver: ld
//# @notes,by-name,given,separate,none,fatal lint-except: writable-code one segment
//# variant: notes: -T notes.ld --build-id
//# variant: by-name: -T name.ld --build-id=uuid -shared
//# variant: given: -T name.ld --build-id=0x1234
//# variant: image: -T notes.ld --build-id --oformat binary
//# variant: separate: -T notes.ld --build-id -g
//# variant: none: -T notes.ld
//# link: main.o --no-warn-rwx-segments
//# variant: fatal: -T notes.ld --build-id --fatal-warnings
//# @notes,by-name,given,separate,fatal says: \.note\.gnu\.build-id section discarded, --build-id ignored
//# @none,image no-warning: .
//# @notes,by-name,given,separate,none,fatal no-section: .note.gnu.build-id
//# @notes,by-name,given,separate,none,fatal no-segment: NOTE
//# peers: ld
.globl _start
_start: ret
.data
.quad 5
.section .note.GNU-stack,"",@progbits
//# file: notes.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } /DISCARD/ : { *(.note*) } }
//# file: name.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } /DISCARD/ : { *(.note.gnu.build-id) } }
