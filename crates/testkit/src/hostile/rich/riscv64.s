# One of everything that an object may hold: code with every kind of reference, thread-local
# variables, groups, frames, merged strings and constants, commons, notes, constructors, padding
# and sums.
        .globl  _start, other, weak_one, resolver
        .weak   maybe
        .hidden hidden_data, common_data
        .section .text,"ax",@progbits
        .type   _start, @function
_start: .cfi_startproc
        .cfi_personality 0x9b, personality_ref
        .cfi_lsda 0x1b, .Llsda
        addi    sp, sp, -16
        .cfi_def_cfa_offset 16
        sd      ra, 8(sp)
        .cfi_offset ra, -8
        call    other
        jal     other
        .option push
        .option pic
        la      a0, external
        la      a1, hidden_data
        la      a3, maybe
        .option pop
        lla     a2, .Ltext_string
        ld      a4, hidden_data
        sd      a4, hidden_data, t0
        lui     a5, %hi(common_data)
        lw      a5, %lo(common_data)(a5)
        sw      a5, %lo(common_data)(a5)
        la.tls.gd a0, tls_one
        call    __tls_get_addr@plt
        la.tls.ie a0, tls_one
        .balign 16
        beqz    a0, .Lnear
        beq     a0, a1, grouped
.Lnear: tail    grouped
        ld      ra, 8(sp)
        addi    sp, sp, 16
        ret
        .balign 8
        .dword  0
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
        lla     a0, hidden_data
        ret
        .cfi_endproc
        .section .text.grouped,"axG",@progbits,grouped,comdat
        .weak   grouped
        .type   grouped, @function
grouped:
        .cfi_startproc
        tail    resolver
        .cfi_endproc
        .section .data.grouped,"awG",@progbits,grouped,comdat
        .dword  grouped
        .section .gcc_except_table,"a",@progbits
.Llsda: .byte   0xff, 0xff, 1
        .byte   0
        .section .data,"aw",@progbits
        .balign 8
hidden_data:
        .dword  other, _start+4, .Ltext_string, external, hidden_data - .
personality_ref:
        .dword  other
weak_one:
        .word   .Ltext_string - .
        .size   weak_one, 4
        .word   .Lnear - _start
        .half   .Lnear - _start
        .byte   .Lnear - _start
        .section .sdata,"aw",@progbits
        .word   3
        .section .rodata.str1.1,"aMS",@progbits,1
.Ltext_string:
        .string "a string"
        .string "string"
        .string "another string"
        .section .rodata.str4.4,"aMS",@progbits,4
        .word   1, 2, 0, 2, 0
        .section .rodata.cst8,"aM",@progbits,8
        .dword  1, 2, 1
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
        .dword  other
        .section .ctors,"aw",@progbits
        .dword  other
        .section set,"awR",@progbits
        .dword  __start_set, __stop_set
        .section .linked,"ao",@progbits,.text.other
        .dword  0
        .section .note.x,"a",@note
        .word   4, 4, 1
        .ascii  "abc\0"
        .word   7
        .section .debug_info,"",@progbits
        .dword  other, grouped
        .word   .Ldebug_string
        .section .debug_str,"MS",@progbits,1
.Ldebug_string:
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .section .debug_line,"",@progbits
        .zero   200
        .section .note.GNU-stack,"",@progbits
