// The symbol of an empty .eh_frame section marks the start of the joined table (crtbeginT.o).
//# driver: ld
//# link: -r
//# symbol: begin section=.eh_frame value=0
//# symbol: end section=.eh_frame
//# reloc: R_X86_64_64 section=.data symbol=.eh_frame addend=0
.section .eh_frame, "a", @unwind
begin:
.data
.quad begin
//# file: b.s
.text
f:
.cfi_startproc
ret
.cfi_endproc
//# file: c.s
.section .eh_frame, "a", @unwind
end: .long 0
