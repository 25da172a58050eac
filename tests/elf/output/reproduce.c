// --reproduce keeps all that was read: a link in another place, of the copies alone, gives the same
// output.
//# peers:
//# requires: tar
//# file: a.c
extern int b(void), c(void), d(void);
int main(void) { return b() + c() + d() - 6; }
//# file: b.c
int b(void) { return 1; }
//# file: c.c
int c(void) { return 2; }
//# file: d.c
int d(void) { return 3; }
//# file: bytes.bin
some bytes
//# file: versions.map
V1 { global: main; local: *; };
//# file: list.txt
{ main; };
//# file: scripted.ld
INPUT(d.o)
//# archive: thin libthin.a b.o
//# archive: libc1.a c.o
//# sh: mkdir -p sub && mv libc1.a sub/libc1.a && rm -rf r.tar r
//# driver: gcc
//# link: a.o -L. -L$DIR/.. -Lsub/../sub -lthin -lc1 scripted.ld -Wl,--format=binary,bytes.bin,--format=default -Wl,--version-script=versions.map,--dynamic-list=list.txt -Wl,--reproduce=r.tar -Wl,-Map=r.map
//# check: tar -xf r.tar && mv b.o b.hidden && cd r && $LD @response.txt && cmp out ../out; S=$?; cd .. && mv b.hidden b.o; exit $S
//# check: tar -tf r.tar | grep -q '^r/.*/b\.o$'
//# check: ! tar -tf r.tar | grep -v '^r/'
//# check: test -f r/version.txt && test -f r/r.map
//# run:
