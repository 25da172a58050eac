// A plugin may order the sections of a file that it has added itself, and ask for a segment of
// their own.
//# driver: ld
//# peers: none
//# compile: -fno-asynchronous-unwind-tables
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so
//# sh: gcc -c -O1 -ffunction-sections -fno-asynchronous-unwind-tables -xc part.inc -o part
//# link: -plugin ./plugin.so main.o -e first
//# symbol: third value<symbol(second).value
//# symbol: second value<symbol(first).value
//# check: readelf -lW $OUT | grep -Eq '^ +[0-9]+ +apart *$'
int unrelated(void) { return 1; }
//# file: part.inc
int first(void) { return 1; }
int second(void) { return 2; }
int third(void) { return 3; }
int fourth(void) { return 4; }
//# file: plugin.inc
#include <stdlib.h>
#include <string.h>
struct entry { int tag; void *function; };
struct file { const char *name; int fd; long offset, size; void *handle; };
struct section { const void *handle; unsigned index; };
static int (*count)(const void *, unsigned *), (*name)(struct section, char **);
static int (*update)(const struct section *, unsigned), (*add)(const char *);
static int (*segment)(const char *, long, long, const struct section *, unsigned);
static int all_read(void) { return add("part"); }
static int new_input(const struct file *file)
{
    struct section order[4];
    unsigned all, found = 4;
    if (count(file->handle, &all))
        return 3;
    for (unsigned at = 0; at < all && found; at++) {
        char *text;
        order[--found] = (struct section) { file->handle, at };
        if (name(order[found], &text) || strncmp(text, ".text.", 6))
            found++;
        free(text);
    }
    return segment("apart", 0, 0, order, 1) || update(order + 1, 3);
}
int onload(struct entry *all)
{
    for (; all->tag; all++)
        switch (all->tag) {
        case 6: ((int (*)(void *))all->function)(all_read); break;
        case 10: add = all->function; break;
        case 19: count = all->function; break;
        case 21: name = all->function; break;
        case 23: update = all->function; break;
        case 27: segment = all->function; break;
        case 31: ((int (*)(void *))all->function)(new_input); break;
        }
    return 0;
}
