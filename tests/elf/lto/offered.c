// GCC's plugin is offered what it compiles of objects that are code, too: that for another device.
//# driver: ld
//# peers: none
//# sh: gcc -shared -fPIC -xc plugin.inc -o liblto_plugin.so
//# link: -plugin ./liblto_plugin.so main.o device.o -e start
//# check: grep -qx 'offered device.o' said && grep -qx 'all read' said && ! grep -q main.o said
extern int device(void);
int start(void) { return device(); }
//# file: device.c
__asm__(".section .gnu.offload_lto_.main,\"e\",@progbits\n.long 1\n.text");
int device(void) { return 0; }
//# file: plugin.inc
#include <stdio.h>
#include <string.h>
struct entry { int tag; union { const char *text; void *function; } value; };
struct file { const char *name; };
enum { OK, CLAIM_FILE = 5, ALL_READ = 6 };
static void say(const char *what, const char *name)
{
    FILE *said = fopen("said", "a");
    const char *base = strrchr(name, '/');
    fprintf(said, "%s%s\n", what, base ? base + 1 : name);
    fclose(said);
}
static int claim_file(const struct file *file, int *claimed)
{
    say("offered ", file->name);
    *claimed = 0;
    return OK;
}
static int all_read(void)
{
    say("all read", "");
    return OK;
}
int onload(const struct entry *entry)
{
    remove("said");
    for (; entry->tag; entry++) {
        if (entry->tag == CLAIM_FILE)
            ((int (*)(void *))entry->value.function)(claim_file);
        if (entry->tag == ALL_READ)
            ((int (*)(void *))entry->value.function)(all_read);
    }
    return OK;
}
