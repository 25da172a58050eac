// -fno-plt calls __tls_get_addr through the GOT; the R_X86_64_TLSGD sequence is one byte different.
//# variant: pie: -pie
//# variant: static: -static
//# variant: ld: -pie | -ftls-model=local-dynamic
//# compile: -fPIC -fno-plt -O1
//# run: exit=3
//# no-reloc: R_X86_64_DTPMOD64
static _Thread_local int a = 1;
_Thread_local int b = 2;
int main(void) { return a + b; }
