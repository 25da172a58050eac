// Behind -Bstatic a shared library is refused, by whatever name it is given.
//# shared: libb.so b.o
//# variant: path: -Wl,-Bstatic libb.so -Wl,-Bdynamic
//# variant: file: -L. -Wl,-Bstatic -l:libb.so -Wl,-Bdynamic
//# variant: old: -Wl,-non_shared ./libb.so -Wl,-Bdynamic
//# variant: pie: -pie -Wl,-Bstatic libb.so -Wl,-Bdynamic
//# variant: again: -Wl,-Bstatic -Wl,-Bdynamic libb.so
//# @again run: exit=43
//# link: main.o -Wl,-rpath,.
//# @path,file,old,pie expect-error: attempted static link of dynamic object
//# peers: ld
int ext(void);
int main(void) { return ext(); }
//# file: b.c -fPIC
int ext(void) { return 43; }
