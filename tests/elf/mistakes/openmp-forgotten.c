// An object compiled with -fopenmp, linked without.
//# peers: none
//# compile: -fopenmp
//# error-text: ld: error: undefined symbol: GOMP_parallel
//# error-text: >>> referenced by main.c
//# error-text: >>>               main.o:(main)
//# error-text: >>> part of OpenMP: pass -fopenmp to the link too
int main(void) {
#pragma omp parallel
  __asm__ volatile("");
  return 0;
}
