// What is constant after relocation is in RELRO; -z norelro has none.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the loader writes to .dynamic, so that it is relocated
//# variant: yes: -Wl,-z,relro
//# variant: now: -Wl,-z,relro,-z,now
//# variant: no: -Wl,-z,norelro
//# compile: -fPIE
//# link: -pie
//# run: exit=0
//# @yes,now symbol: table section=.data.rel.ro value>=segment(GNU_RELRO).address value<segment(GNU_RELRO).end
//# @yes,now segment: GNU_RELRO sections~dynamic
//# @now segment: GNU_RELRO sections~\.got\b
//# @no no-segment: GNU_RELRO
static int a;
int *const table[] = {&a};
int *const *volatile pointer = table;
int main(void) { return *pointer[0]; }
