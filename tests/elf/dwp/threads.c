// The package has the same bytes for any number of threads; the list of dependencies has the .dwo
// files, and a reproduction makes the same package of copies.
//# peers:
//# requires: tar
//# driver: ld
//# sh: rm -rf *.dwo r r.tar; mkdir -p parts; i=0; while [ $i -lt 30 ]; do i=$((i + 1)); echo "struct S$((i % 7)) { int a, b; } s$i; int f$i(void) { return s$i.a; }" >parts/p$i.cc; g++ -g -gdwarf-5 -gsplit-dwarf -fdebug-types-section -c parts/p$i.cc -o parts/p$i.o || exit 1; done; ls parts/*.o >parts.txt
//# sh: for n in 1 2 3 8; do SKALD_ALL_THREADS=1 $LD main.o parts/*.o -o x --dwp=x$n.dwp --threads=$n; cmp x1.dwp x$n.dwp; done
//# link: main.o @parts.txt --dwp=out.dwp --dependency-file=out.d --reproduce=r.tar
//# check: cmp x1.dwp out.dwp
//# check: test $(grep -c 'parts/p[0-9]*.dwo:$' out.d) = 30
//# check: rm -rf hidden r && mkdir hidden && mv parts/*.dwo hidden; S=0; (tar -xf r.tar && cd r && $LD @response.txt && cmp out.dwp ../out.dwp) || S=1; mv hidden/* parts; exit $S
void _start(void) {}
