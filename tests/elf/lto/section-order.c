// A plugin that asks for an order of sections gets it.
//# driver: ld
//# peers: none
//# compile: -ffunction-sections -fno-asynchronous-unwind-tables
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so
//# link: -plugin ./plugin.so main.o -e first
//# symbol: third value<symbol(second).value
//# symbol: second value<symbol(first).value
int first(void) { return 1; }
int second(void) { return 2; }
int third(void) { return 3; }
//# file: plugin.inc
#include <stdlib.h>
#include <string.h>
struct entry { int tag; void *function; };
struct file { const char *name; int fd; long offset, size; void *handle; };
struct section { const void *handle; unsigned index; };
static int (*count)(const void *, unsigned *), (*name)(struct section, char **);
static int (*update)(const struct section *, unsigned);
static void *handle;
static int claim(const struct file *file, int *claimed)
{
    *claimed = 0;
    handle = file->handle;
    return 0;
}
static int all_read(void)
{
    struct section order[3];
    unsigned all, found = 3;
    if (count(handle, &all))
        return 3;
    for (unsigned at = 0; at < all && found; at++) {
        char *text;
        order[--found] = (struct section) { handle, at };
        if (name(order[found], &text) || strncmp(text, ".text.", 6))
            found++;
        free(text);
    }
    return update(order, 3);
}
int onload(struct entry *all)
{
    for (; all->tag; all++)
        switch (all->tag) {
        case 5: ((int (*)(void *))all->function)(claim); break;
        case 6: ((int (*)(void *))all->function)(all_read); break;
        case 19: count = all->function; break;
        case 21: name = all->function; break;
        case 23: update = all->function; break;
        }
    return 0;
}
