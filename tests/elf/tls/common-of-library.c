// A thread-local common symbol is a reference where a library has the variable with a value, as other
// common symbols are.
//# link: common.o libx.so -Wl,-rpath,.
//# shared: libx.so lib.o
//# run: exit=4
//# dynsym: t type=TLS section=UND
//# peers: ld
extern __thread int t;
int main(void) { return t; }
//# file: common.s
.tls_common t, 4, 4
.section .note.GNU-stack,"",@progbits
//# file: lib.c -fPIC
__thread int t = 4;
