// A plugin that ends its process, hangs, lacks what a plugin has or fails is an error with its last
// words; the link itself goes on until then.
//# driver: ld
//# variant: abort: --plugin-opt=abort
//# variant: exit: --plugin-opt=exit
//# variant: hang: --plugin-opt=hang --plugin-timeout=1
//# variant: loop: --plugin-opt=loop --plugin-timeout=1
//# variant: fatal: --plugin-opt=fatal
//# variant: status: --plugin-opt=status
//# variant: error: --plugin-opt=error
//# variant: none: -plugin ./other.so
//# variant: missing: -plugin ./missing.so
//# variant: late: --plugin-opt=late
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so && gcc -shared -fPIC main.c -o other.so
//# link: -plugin ./plugin.so main.o
//# @abort expect-error: plugin \./plugin\.so: it was ended by signal 6
//# @abort expect-error: >>> about to abort
//# @exit expect-error: plugin \./plugin\.so: it ended the process that it ran in, with status 3
//# @hang expect-error: plugin \./plugin\.so: it has done nothing for 1 seconds and was ended
//# @loop expect-error: plugin \./plugin\.so: it has only gone round in a loop for 4 seconds and was ended
//# @fatal expect-error: cannot go on: 7 files
//# @status expect-error: plugin \./plugin\.so: it could not read the file: it returned 3
//# @error expect-error: bad main\.o
//# @none expect-error: plugin \./other\.so: it has no function onload
//# @missing expect-error: plugin \./missing\.so: .*cannot open shared object
//# @late expect-error: plugin \./plugin\.so: it was ended by signal 6
//# peers: none
void _start(void) {}
//# file: plugin.inc
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct entry { int tag; union { int number; const char *text; void *function; } value; };
struct file { const char *name; int fd; long offset, size; void *handle; };
static const char *mode = "";
static int (*message)(int, const char *, ...);
static int claim(const struct file *file, int *claimed)
{
    *claimed = 0;
    if (!strcmp(mode, "abort")) {
        fprintf(stderr, "about to abort\n");
        abort();
    }
    if (!strcmp(mode, "exit"))
        exit(3);
    if (!strcmp(mode, "hang"))
        pause();
    while (!strcmp(mode, "loop"))
        ;
    if (!strcmp(mode, "fatal"))
        message(3, "cannot go on: %d %s", 7, "files");
    if (!strcmp(mode, "error"))
        message(2, "bad %s", strrchr(file->name, '/') ? strrchr(file->name, '/') + 1 : file->name);
    return strcmp(mode, "status") ? 0 : 3;
}
static int all_read(void)
{
    if (!strcmp(mode, "late"))
        abort();
    return 0;
}
int onload(struct entry *all)
{
    for (; all->tag; all++) {
        if (all->tag == 4)
            mode = all->value.text;
        if (all->tag == 5)
            ((int (*)(void *))all->value.function)(claim);
        if (all->tag == 6)
            ((int (*)(void *))all->value.function)(all_read);
        if (all->tag == 11)
            message = all->value.function;
    }
    return 0;
}
