// What a plugin has written is a part of the message if it fails, and is said once.
//# driver: ld
//# peers: none
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so
//# sh: ! $LD -plugin ./plugin.so main.o -o x 2>messages && grep -q 'status 3' messages && test $(grep -c 'first of six' messages) = 1 && test $(grep -c 'last of six' messages) = 1
//# sh: ! $LD -plugin ./plugin.so -plugin-opt=ok main.o -o y >out 2>messages && test $(grep -c 'first of six' messages) = 1 && ! test -s out
//# link: main.o
void _start(void) {}
//# file: plugin.inc
#include <stdio.h>
#include <stdlib.h>
struct entry { int tag; const char *value; };
static int fails = 1;
static int all_read(void)
{
    puts("first of six\n2\n3\n4\n5\nlast of six");
    fflush(stdout);
    if (fails)
        exit(3);
    return 1;
}
static int claim(void *file, int *claimed)
{
    *claimed = 0;
    return 0;
}
int onload(struct entry *all)
{
    for (; all->tag; all++) {
        if (all->tag == 4)
            fails = 0;
        if (all->tag == 5)
            ((int (*)(void *))all->value)(claim);
        if (all->tag == 6)
            ((int (*)(void *))all->value)(all_read);
    }
    return 0;
}
