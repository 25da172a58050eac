// A link that a signal ends while a plugin compiles leaves nothing: neither what the plugin has
// started nor its temporary files.
//# driver: ld
//# peers: none
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so && rm -rf tmp && mkdir tmp
//# sh: TMPDIR=$PWD/tmp $LD -plugin ./plugin.so main.o -o x & pid=$!; for i in $(seq 200); do ls tmp/*/started >/dev/null 2>&1 && break; sleep 0.05; done; cp tmp/*/started child; kill $pid; for i in $(seq 200); do test -z "$(ls tmp)" && break; sleep 0.05; done; test -z "$(ls tmp)" && ! kill -0 $(cat child) 2>/dev/null && ! test -e x
//# link: main.o
void _start(void) {}
//# file: plugin.inc
#include <stdlib.h>
struct entry { int tag; void *function; };
static int all_read(void)
{
    return system("echo $$ > $TMPDIR/new && mv $TMPDIR/new $TMPDIR/started && exec sleep 60") != 0;
}
static int claim(void *file, int *claimed)
{
    *claimed = 0;
    return 0;
}
int onload(struct entry *all)
{
    for (; all->tag; all++) {
        if (all->tag == 5)
            ((int (*)(void *))all->function)(claim);
        if (all->tag == 6)
            ((int (*)(void *))all->function)(all_read);
    }
    return 0;
}
