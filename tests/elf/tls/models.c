// Each TLS model, whatever the linker makes of it, finds the thread's variable.
//# variant: static-gd: -static | -ftls-model=global-dynamic
//# variant: static-ld: -static | -ftls-model=local-dynamic
//# variant: static-ie: -static | -ftls-model=initial-exec
//# variant: static-le: -static -no-pie | -ftls-model=local-exec -fno-pie
//# variant: pie-gd: -pie | -ftls-model=global-dynamic
//# variant: pie-ld: -pie | -ftls-model=local-dynamic
//# variant: pie-ie: -pie | -ftls-model=initial-exec
//# variant: pie-le: -pie | -ftls-model=local-exec -fPIE
//# variant: nopie-gd: -no-pie | -ftls-model=global-dynamic
//# variant: nopie-ie: -no-pie | -ftls-model=initial-exec
//# variant: static-pie-gd: -static-pie | -ftls-model=global-dynamic
//# variant: static-pie-ie: -static-pie | -ftls-model=initial-exec
//# variant: desc-pie: -pie | -mtls-dialect=gnu2
//# variant: desc-static: -static | -mtls-dialect=gnu2
//# variant: desc-nopie: -no-pie | -mtls-dialect=gnu2
//# variant: desc-static-pie: -static-pie | -mtls-dialect=gnu2
//# compile: -fPIC -O1 -pthread
//# link: -pthread
//# run: stdout="1 2 3 0 10 20 30 4\n"
//# no-reloc: R_X86_64_DTPMOD64
//# no-reloc: R_X86_64_TLSDESC
#include <pthread.h>
#include <stdio.h>
static _Thread_local int a = 1, b = 2, zero;
_Thread_local int c = 3, d;
static void *thread(void *p) {
  a *= 10, b *= 10, c *= 10, d = 4;
  return p;
}
static void *print(void *p) {
  printf("%d %d %d %d ", a, b, c, d);
  thread(p);
  printf("%d %d %d %d\n", a, b, c, d + zero);
  return p;
}
int main(void) {
  pthread_t t;
  thread(NULL);
  pthread_create(&t, NULL, print, NULL);
  pthread_join(t, NULL);
}
