// A plugin that asks for segments of their own for sections gets them, as gold gives them: an output
// section of the name that it says, alone in a segment with more flags or a larger alignment.
//# driver: ld
//# peers: none
//# compile: -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so
//# variant: apart: -z separate-code
//# variant: together: -z noseparate-code
//# link: -plugin ./plugin.so main.o -e first
//# check: readelf -lW $OUT | grep -Eq '^ +[0-9]+ +hot *$' && readelf -lW $OUT | grep -Eq '^ +[0-9]+ +own_data *$'
//# check: readelf -lW $OUT | grep -Eq 'LOAD .* R E 0x4000$' && readelf -lW $OUT | grep -Eq 'LOAD .* RW  0x1000$'
//# check: readelf -SW $OUT | grep -q ' hot ' && readelf -sW $OUT | grep -q second
int first(void) { return 1; }
int second(void) { return 2; }
int third(void) { return 3; }
const int table[4] = { 1, 2, 3, 4 };
const int other[4] = { 5, 6, 7, 8 };
//# file: plugin.inc
#include <stdlib.h>
#include <string.h>
struct entry { int tag; void *function; };
struct file { const char *name; int fd; long offset, size; void *handle; };
struct section { const void *handle; unsigned index; };
static int (*count)(const void *, unsigned *), (*name)(struct section, char **);
static int (*allow)(void);
static int (*unique)(const char *, unsigned long, unsigned long, const struct section *, unsigned);
static void *handle;
static int claim(const struct file *file, int *claimed)
{
    *claimed = 0;
    handle = file->handle;
    return 0;
}
static int separate(const char *section, const char *output, unsigned long flags,
                    unsigned long align)
{
    unsigned all;
    if (count(handle, &all))
        return 3;
    for (unsigned at = 0; at < all; at++) {
        struct section own = { handle, at };
        char *text;
        if (!name(own, &text) && !strcmp(text, section))
            return unique(output, flags, align, &own, 1);
    }
    return 3;
}
static int all_read(void)
{
    return allow() || separate(".text.second", "hot", 0, 0x4000)
        || separate(".rodata.table", "own_data", 2, 0);
}
int onload(struct entry *all)
{
    for (; all->tag; all++)
        switch (all->tag) {
        case 5: ((int (*)(void *))all->function)(claim); break;
        case 6: ((int (*)(void *))all->function)(all_read); break;
        case 19: count = all->function; break;
        case 21: name = all->function; break;
        case 26: allow = all->function; break;
        case 27: unique = all->function; break;
        }
    return 0;
}
