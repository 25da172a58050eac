// All models of thread-local storage, in programs of each kind and through a library.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: no-relax: -pie -Wl,--no-relax
//# variant: small: -pie
//# @pie,fixed,static,no-relax compile: -O1 -fPIC -pthread
//# @small compile: -O1 -fpic -pthread
//# shared: libother.so other.o
//# @pie,fixed,no-relax,small link: main.o more.o -L. -lother -Wl,-rpath,$ORIGIN -pthread
//# @static link: main.o more.o other.o -pthread
//# run: stdout="1 2 3 4 0 6\n"
//# peers: ld lld
#include <pthread.h>
#include <stdio.h>
__thread int local = 1;
extern __thread int elsewhere;
extern __thread int own __attribute__((tls_model("local-exec")));
extern __thread int initial __attribute__((tls_model("initial-exec")));
extern __thread int missing __attribute__((weak));
int from_library(void);
static void *thread(void *result) {
  *(int *)result = local + elsewhere + own;
  return 0;
}
int main(void) {
  pthread_t id;
  int sum = 0;
  pthread_create(&id, 0, thread, &sum);
  pthread_join(id, 0);
  printf("%d %d %d %d %d %d\n", local, elsewhere, own, initial, from_library() - 2, sum);
  return 0;
}
//# file: more.c
__thread int own = 3;
__thread int initial = 4;
//# file: other.c
__thread int elsewhere = 2;
static __thread char room[3000];
static __thread int far;
int from_library(void) { return elsewhere + far + room[0]; }
