# One of everything that an object may hold: code with every kind of reference, thread-local
# variables, groups, frames, merged strings and constants, commons, notes, constructors.
        .globl  _start, other, weak_one, resolver
        .weak   maybe
        .hidden hidden_data, common_data
        .section .text,"ax",@progbits
        .type   _start, @function
_start: .cfi_startproc
        .cfi_personality 0x9b, personality_ref
        .cfi_lsda 0x1b, .Llsda
        push    %ebx
        .cfi_def_cfa_offset 8
        .cfi_offset %ebx, -8
        call    .Lnext
.Lnext: pop     %ebx
        add     $_GLOBAL_OFFSET_TABLE_+(.-.Lnext), %ebx
        call    other@PLT
        mov     external@GOT(%ebx), %eax
        mov     hidden_data@GOT(%ebx), %ecx
        mov     hidden_data@GOT, %ecx
        lea     .Ltext_string@GOTOFF(%ebx), %edi
        mov     maybe@GOT(%ebx), %edx
        lea     tls_one@tlsgd(,%ebx,1), %eax
        call    ___tls_get_addr@PLT
        lea     tls_local@tlsldm(%ebx), %eax
        call    ___tls_get_addr@PLT
        lea     tls_local@dtpoff(%eax), %ecx
        mov     tls_one@indntpoff, %eax
        mov     tls_one@gotntpoff(%ebx), %ecx
        mov     tls_one@gottpoff(%ebx), %ecx
        lea     tls_one@tlsdesc(%ebx), %eax
        call    *tls_one@tlscall(%eax)
        call    *external@GOT(%ebx)
        lea     common_data@GOTOFF(%ebx), %esi
        call    grouped
        pop     %ebx
        ret
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
        mov     $hidden_data, %eax
        ret
        .cfi_endproc
        .section .text.grouped,"axG",@progbits,grouped,comdat
        .weak   grouped
        .type   grouped, @function
grouped:
        .cfi_startproc
        call    resolver@PLT
        ret
        .cfi_endproc
        .section .data.grouped,"awG",@progbits,grouped,comdat
        .long   grouped
        .section .gcc_except_table,"a",@progbits
.Llsda: .byte   0xff, 0xff, 1, 0
        .section .data,"aw",@progbits
        .balign 4
hidden_data:
        .long   other, _start+4, .Ltext_string, external, hidden_data - .
personality_ref:
        .long   other
weak_one:
        .long   .Ltext_string - .
        .size   weak_one, 4
        .section .rodata.str1.1,"aMS",@progbits,1
.Ltext_string:
        .string "a string"
        .string "string"
        .string "another string"
        .section .rodata.str4.4,"aMS",@progbits,4
        .long   1, 2, 0, 2, 0
        .section .rodata.cst8,"aM",@progbits,8
        .quad   1, 2, 1
        .section .tdata,"awT",@progbits
        .balign 16
        .globl  tls_one
        .type   tls_one, @object
tls_one:
        .long   5
        .section .tbss,"awT",@nobits
        .type   tls_local, @object
tls_local:
        .zero   24
        .section .bss,"aw",@nobits
        .zero   100
        .comm   common_data, 40, 16
        .section .init_array.00100,"aw",@init_array
        .long   other
        .section .ctors,"aw",@progbits
        .long   other
        .section set,"awR",@progbits
        .long   __start_set, __stop_set
        .section .linked,"ao",@progbits,.text.other
        .long   0
        .section .note.x,"a",@note
        .long   4, 4, 1
        .ascii  "abc\0"
        .long   7
        .section .note.gnu.property,"a",@note
        .balign 4
        .long   4, 12, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3
        .section .debug_info,"",@progbits
        .long   other, grouped
        .long   .Ldebug_string
        .section .debug_str,"MS",@progbits,1
.Ldebug_string:
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .section .debug_line,"",@progbits
        .zero   200
        .section .note.GNU-stack,"",@progbits
