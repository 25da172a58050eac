// The offsets from the thread pointer respect an alignment above that of the sizes.
//# variant: pie: -pie | -fPIE
//# variant: static: -static
//# run
//# segment: TLS align>=256
#include <stdint.h>
_Thread_local char first = 1;
_Thread_local _Alignas(256) char aligned = 2;
_Thread_local _Alignas(64) char zero[64];
int main(void) {
  return (uintptr_t)&aligned % 256 || (uintptr_t)zero % 64 || first != 1 || aligned != 2 || zero[5];
}
