// R_X86_64_DTPOFF32 and R_X86_64_DTPOFF64 relocations in debug sections are offsets in the TLS block.
//# compile: -g
//# run: exit=0
//# check: objdump --dwarf=info $OUT | grep -q 'DW_OP_GNU_push_tls_address\|DW_OP_form_tls_address'
_Thread_local int first = 1;
_Thread_local int zero;
int main(void) { return zero; }
