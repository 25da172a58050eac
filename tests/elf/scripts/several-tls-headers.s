// Offsets of thread-local symbols count from the end of all thread-local storage, though PHDRS describes it
// by two headers.
//# link: main.o -e 0 -T layout.ld
//# word: section(.data).address = 0xffffffffffffffe0
//# word: section(.data).address+1word = 0xfffffffffffffff0
//# lint-except: tls-segment there are two
//# lint-except: segment-twice there are two
//# peers: ld lld
.data
.dc.a a@tpoff, b@tpoff
.section .tdata,"awT",@progbits
a: .quad 1, 2
.section .tbss,"awT",@nobits
b: .zero 16
.section .note.GNU-stack,"",@progbits
//# file: layout.ld
PHDRS { data PT_LOAD; initialized PT_TLS; zeros PT_TLS; }
SECTIONS {
  . = 0x10000;
  .tdata : { *(.tdata) } :data :initialized
  .tbss : { *(.tbss) } :data :zeros
  .data : { *(.data) } :data
}
