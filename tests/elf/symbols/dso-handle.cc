// A shared object that is linked without the compiler's start files may still register destructors.
//# driver: ld
//# compile: -fPIC
//# link: -shared main.o
//# symbol: __dso_handle value=0
//# no-dynsym: __dso_handle
//# peers: lld
struct Foo { ~Foo(); };
Foo foo;
