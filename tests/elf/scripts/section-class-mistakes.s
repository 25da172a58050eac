# Mistakes in definitions of classes and in references to them.
//# driver: ld
//# variant: twice: -T twice.ld
//# variant: before: -T before.ld
//# variant: unreferenced: -T unreferenced.ld
//# variant: nested: -T nested.ld
//# variant: discarded: -T discarded.ld
//# variant: pattern: -T pattern.ld
//# link: main.o -z noexecstack
//# @twice expect-error: twice\.ld:1: class a is already defined
//# @before expect-error: before\.ld:2: class a is not defined before
//# @unreferenced expect-error: main\.o:\(\.text\) is in class a, but in no output section
//# @nested expect-error: nested\.ld:1:.*class b cannot refer to another class of sections
//# @discarded expect-error: discarded\.ld:1: sections of class a cannot spill from or to /DISCARD/
//# @pattern expect-error: pattern\.ld:1:.*expected input sections or '\}'
//# peers: none
.globl _start
.text
_start: ret
//# file: twice.ld
SECTIONS { CLASS(a) { *(.text) } CLASS(a) { *(.data) } .text : { CLASS(a) } }
//# file: before.ld
SECTIONS {
    .text : { CLASS(a) }
    CLASS(a) { *(.text) }
}
//# file: unreferenced.ld
SECTIONS { CLASS(a) { *(.text) } }
//# file: nested.ld
SECTIONS { CLASS(a) { *(.text) } CLASS(b) { CLASS(a) } .text : { CLASS(a) } }
//# file: discarded.ld
SECTIONS { CLASS(a) { *(.text) } .text : { CLASS(a) } /DISCARD/ : { CLASS(a) } }
//# file: pattern.ld
SECTIONS { CLASS(a) { (.text) } .text : { CLASS(a) } }
