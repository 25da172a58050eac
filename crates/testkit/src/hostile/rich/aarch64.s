// One of everything that an object may hold: code with every kind of reference, thread-local
// variables, groups, frames, merged strings and constants, commons, notes, constructors.
        .globl  _start, other, weak_one, resolver
        .weak   maybe
        .hidden hidden_data, common_data
        .section .text,"ax",@progbits
        .type   _start, @function
_start: .cfi_startproc
        .cfi_personality 0x9b, personality_ref
        .cfi_lsda 0x1b, .Llsda
        stp     x29, x30, [sp, -16]!
        .cfi_def_cfa_offset 16
        .cfi_offset 29, -16
        .cfi_offset 30, -8
        bl      other
        adrp    x0, :got:external
        ldr     x0, [x0, :got_lo12:external]
        adrp    x1, :got:hidden_data
        ldr     x1, [x1, :got_lo12:hidden_data]
        adrp    x2, .Ltext_string
        add     x2, x2, :lo12:.Ltext_string
        adrp    x3, :got:maybe
        ldr     x3, [x3, :got_lo12:maybe]
        adrp    x0, hidden_data
        ldr     x4, [x0, :lo12:hidden_data]
        ldr     w5, [x0, :lo12:hidden_data]
        ldrh    w5, [x0, :lo12:hidden_data]
        ldrb    w5, [x0, :lo12:hidden_data]
        adrp    x0, common_data
        ldr     q0, [x0, :lo12:common_data]
        adrp    x0, :tlsgd:tls_one
        add     x0, x0, :tlsgd_lo12:tls_one
        bl      __tls_get_addr
        nop
        adrp    x0, :gottprel:tls_one
        ldr     x0, [x0, :gottprel_lo12:tls_one]
        adrp    x0, :tlsdesc:tls_one
        ldr     x1, [x0, :tlsdesc_lo12:tls_one]
        add     x0, x0, :tlsdesc_lo12:tls_one
        .tlsdesccall tls_one
        blr     x1
        movz    x6, #:abs_g3:other
        movk    x6, #:abs_g2_nc:other
        movk    x6, #:abs_g1_nc:other
        movk    x6, #:abs_g0_nc:other
        adr     x7, other
        ldr     x7, .Lliteral
        tbz     x7, #1, .Lnear
        cbz     x7, grouped
        b.eq    grouped
.Lnear: bl      grouped
        ldp     x29, x30, [sp], 16
        ret
        .balign 8
.Lliteral:
        .xword  0
        .cfi_endproc
        .size   _start, .-_start
        .section .text.other,"ax",@progbits
        .type   other, @function
other:  .cfi_startproc
        ret
        .cfi_endproc
        .size   other, .-other
        .type   resolver, @gnu_indirect_function
resolver:
        .cfi_startproc
        adrp    x0, hidden_data
        add     x0, x0, :lo12:hidden_data
        ret
        .cfi_endproc
        .section .text.grouped,"axG",@progbits,grouped,comdat
        .weak   grouped
        .type   grouped, @function
grouped:
        .cfi_startproc
        b       resolver
        .cfi_endproc
        .section .data.grouped,"awG",@progbits,grouped,comdat
        .xword  grouped
        .section .gcc_except_table,"a",@progbits
.Llsda: .byte   0xff, 0xff, 1, 0
        .section .data,"aw",@progbits
        .balign 8
hidden_data:
        .xword  other, _start+4, .Ltext_string, external, hidden_data - .
personality_ref:
        .xword  other
weak_one:
        .word   .Ltext_string - .
        .size   weak_one, 4
        .section .rodata.str1.1,"aMS",@progbits,1
.Ltext_string:
        .string "a string"
        .string "string"
        .string "another string"
        .section .rodata.str4.4,"aMS",@progbits,4
        .word   1, 2, 0, 2, 0
        .section .rodata.cst8,"aM",@progbits,8
        .xword  1, 2, 1
        .section .tdata,"awT",@progbits
        .balign 16
        .globl  tls_one
        .type   tls_one, @object
tls_one:
        .word   5
        .section .tbss,"awT",@nobits
        .type   tls_local, @object
tls_local:
        .zero   24
        .section .bss,"aw",@nobits
        .zero   100
        .comm   common_data, 40, 16
        .section .init_array.00100,"aw",@init_array
        .xword  other
        .section .ctors,"aw",@progbits
        .xword  other
        .section set,"awR",@progbits
        .xword  __start_set, __stop_set
        .section .linked,"ao",@progbits,.text.other
        .xword  0
        .section .note.x,"a",@note
        .word   4, 4, 1
        .ascii  "abc\0"
        .word   7
        .section .note.gnu.property,"a",@note
        .balign 8
        .word   4, 16, 5
        .asciz  "GNU"
        .word   0xc0000000, 4, 3, 0
        .section .debug_info,"",@progbits
        .xword  other, grouped
        .word   .Ldebug_string
        .section .debug_str,"MS",@progbits,1
.Ldebug_string:
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .section .debug_line,"",@progbits
        .zero   200
        .section .note.GNU-stack,"",@progbits
