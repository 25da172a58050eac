// In programs the calls of descriptors become loads or sums. The loader here knows no descriptors, so
// that the library has none.
//# cc: clang-19
//# compile: -O1 -fPIC -mtls-dialect=desc
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: emit: -pie -Wl,--emit-relocs
//# @pie,fixed,emit shared: libother.so other.o
//# @pie,fixed,emit link: main.o more.o -L. -lother -Wl,-rpath,$ORIGIN
//# @static link: main.o more.o other.o
//# run: exit=15
//# peers: lld
extern __thread int own, elsewhere;
extern __thread char room[4000];
int from_library(void);
int main(void) { return own + elsewhere + room[3999] + from_library() * 2; }
//# file: more.c
__thread int own = 1;
__thread char room[4000] = {[3999] = 2};
//# file: other.c -mtls-dialect=trad
__thread int elsewhere = 4;
__thread int hidden __attribute__((visibility("hidden")));
int from_library(void) { return elsewhere + hidden; }
