// The template of thread-local storage may begin where it is not aligned. The loader gives the block
// the same remainder, so offsets from the thread pointer count it. Without a loader glibc does not.
//# @pie machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# @fixed machines: x86-64 aarch64 i386 x32 riscv64 the program is below 8 MiB
//# variant: fixed: -no-pie | -fno-pie
//# variant: pie: -pie -Wl,--image-base=0x10000 | -fPIE
//# variant: static: -static | -fno-pie
//# link: -Wl,--section-start=.tdata=0x708010
//# run: exit=0
//# segment: TLS address=0x708010 align=64
//# lint-except: section-align an option places it
//# peers: none
static __thread int first = 5;
static __thread int second = 6;
static __thread char zeros[8] __attribute__((aligned(64)));
__thread int external = 7;
__attribute__((noipa)) int *pointer(void) { return &external; }
__attribute__((noipa)) int sum(void) { return first + second + zeros[7] + *pointer(); }
int main(void) {
  if (sum() != 18) return 1;
  second = 3;
  zeros[7] = 1;
  return sum() != 16;
}
