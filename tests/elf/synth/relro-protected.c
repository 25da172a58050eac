// Writing to it after relocation is a fault.
//# link: -pie -Wl,-z,relro,-z,now
//# compile: -fPIE -O0
//# run: signal=11
static int a;
int *const table[] = {&a};
int main(void) { *(int *volatile *)table = 0; return 0; }
