// A program whose only TLS is zero: PT_TLS has no bytes in the file.
//# variant: pie: -pie | -fPIE
//# variant: static: -static
//# run: exit=0
//# @pie segment: TLS filesz=0 memsz=4
_Thread_local int zero;
int main(void) { return zero; }
