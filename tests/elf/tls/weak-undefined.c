// The address of an undefined weak TLS variable links; it is not used.
//# variant: pie: -pie | -fPIE
//# variant: static: -static | -fno-pie
//# run: exit=0
//# peers: lld
extern _Thread_local int nothing __attribute__((weak));
int main(int argc, char **argv) { return argc > 5 ? nothing : 0; }
