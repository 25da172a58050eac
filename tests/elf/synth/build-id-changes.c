// Another program has another build id, and the same one the same.
//# link: main.o -Wl,--build-id=sha1
//# sh: gcc -B$(dirname $LD) b.o -o b -Wl,--build-id=sha1
//# sh: gcc -B$(dirname $LD) main.o -o a -Wl,--build-id=sha1
//# sh: for f in a b; do readelf -n $f | grep 'Build ID' > $f.id; done; ! cmp a.id b.id
//# check: readelf -n $OUT | grep 'Build ID' | cmp - a.id
//# archive: unused.a b.o
int main(void) { return 0; }
//# file: b.c
int main(void) { return 1; }
