// Thread-local commons that no statement takes stand with thread-local storage, and not behind all zeros.
//# link: main.o -e 0 -T script.ld
//# segment: TLS memsz=12
//# section: .bss type=NOBITS flags=WA
//# lint-except: writable-code one segment
//# peers: ld lld
.text
.quad 0
.section .tdata, "awT"
.long 1
.bss
.quad 0
.type c, @tls_object
.tls_common c, 8, 4
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS { . = 0x10000; .text : { *(.text) } }
