// An undefined weak function is zero in an executable of any kind.
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# variant: static: -static
//# run: exit=1
__attribute__((weak)) void nothing(void);
int main(void) { return nothing ? 0 : 1; }
