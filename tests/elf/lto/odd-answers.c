// What a plugin says that cannot be, or at the wrong time, it is told by the status; the link goes
// on with what is right.
//# driver: ld
//# peers: none
//# sh: gcc -shared -fPIC -xc plugin.inc -o plugin.so && gcc -c -O1 -fno-asynchronous-unwind-tables -xc part.inc -o part
//# variant: kinds: -plugin-opt=kinds
//# variant: twice: -plugin-opt=twice
//# variant: late: -plugin-opt=late
//# variant: handles: -plugin-opt=handles
//# variant: nothing: -plugin-opt=nothing
//# link: -plugin ./plugin.so main.o intermediate.o -e start
//# symbol: start
//# @nothing no-symbol: second
//# @nothing no-symbol: first
//# @kinds symbol: second
//# @twice symbol: second
//# @late symbol: second
//# @handles symbol: second
extern int first(void), second(void);
#ifdef ALL
int start(void) { return first() + second(); }
#else
__attribute__((weak)) extern int first(void), second(void);
int start(void) { return first && second; }
#endif
//# file: intermediate.c
int placeholder;
//# file: part.inc
int first(void) { return 1; }
int second(void) { return 2; }
//# file: plugin.inc
#include <stdio.h>
#include <string.h>
enum { OK, NO_SYMS, BAD_HANDLE, ERR };
struct entry { int tag; union { const char *text; void *function; } value; };
struct file { const char *name; int fd; long offset, size; void *handle; };
struct symbol {
    const char *name, *version;
    char def, type, kind, unused;
    int visibility;
    unsigned long size;
    const char *comdat_key;
    int resolution;
};
struct section { const void *handle; unsigned index; };
static const char *mode;
static int (*add_symbols)(void *, int, const struct symbol *);
static int (*get_symbols)(const void *, int, struct symbol *);
static int (*add_file)(const char *), (*get_file)(const void *, struct file *);
static int (*release)(const void *), (*get_view)(const void *, const void **);
static int (*section_count)(const void *, unsigned *);
static int (*section_size)(struct section, unsigned long *);
static int (*message)(int, const char *, ...);
static void *claimed_handle;
static int wrong;
static void expect(const char *what, int status, int expected)
{
    if (status != expected)
        message(2, "%s: %d, not %d", what, status, expected), wrong = 1;
}
static int is(const char *name) { return !strcmp(mode, name); }
static struct symbol symbols[] = { { "first" }, { "second" } };
static int claim(const struct file *file, int *claimed)
{
    *claimed = strstr(file->name, "intermediate") != NULL;
    if (!*claimed)
        return OK;
    claimed_handle = file->handle;
    if (is("kinds")) {
        struct symbol odd = { "odd", NULL, 5 }, seen = { "odd", NULL, 0, 0, 0, 0, 4 };
        struct symbol nameless = { NULL };
        expect("unknown kind", add_symbols(file->handle, 1, &odd), ERR);
        expect("unknown visibility", add_symbols(file->handle, 1, &seen), ERR);
        expect("no name", add_symbols(file->handle, 1, &nameless), ERR);
        expect("a negative number", add_symbols(file->handle, -1, &odd), ERR);
        expect("no symbols", add_symbols(file->handle, 1, NULL), ERR);
    }
    if (is("twice"))
        expect("first time", add_symbols(file->handle, 1, symbols + 1), OK);
    return add_symbols(file->handle, is("nothing") ? 0 : 2, symbols);
}
static int all_read(void)
{
    struct symbol told[2] = { symbols[0], symbols[1] };
    if (is("late"))
        expect("too late", add_symbols(claimed_handle, 1, symbols), ERR);
    if (is("handles")) {
        struct file file;
        const void *view;
        unsigned count;
        unsigned long size;
        struct section section = { claimed_handle, 1u << 30 };
        expect("null, file", get_file(NULL, &file), BAD_HANDLE);
        expect("null, view", get_view(NULL, &view), BAD_HANDLE);
        expect("null, release", release(NULL), BAD_HANDLE);
        expect("null, symbols", get_symbols(NULL, 1, told), BAD_HANDLE);
        expect("unknown, view", get_view((void *)999, &view), BAD_HANDLE);
        expect("null, sections", section_count(NULL, &count), BAD_HANDLE);
        expect("section", section_size(section, &size), BAD_HANDLE);
        expect("file", get_file(claimed_handle, &file), OK);
        expect("release", release(claimed_handle), OK);
        expect("release again", release(claimed_handle), OK);
        expect("file again", get_file(claimed_handle, &file), OK);
    }
    expect("symbols", get_symbols(claimed_handle, is("nothing") ? 0 : 2, told), OK);
    for (int at = 0; at < 2 && !is("nothing"); at++)
        expect(told[at].name, told[at].resolution, 2);
    return wrong || (!is("nothing") && add_file("part"));
}
int onload(struct entry *all)
{
    for (; all->tag; all++)
        switch (all->tag) {
        case 4: mode = all->value.text; break;
        case 5: ((int (*)(void *))all->value.function)(claim); break;
        case 6: ((int (*)(void *))all->value.function)(all_read); break;
        case 8: add_symbols = all->value.function; break;
        case 25: get_symbols = all->value.function; break;
        case 10: add_file = all->value.function; break;
        case 11: message = all->value.function; break;
        case 12: get_file = all->value.function; break;
        case 13: release = all->value.function; break;
        case 18: get_view = all->value.function; break;
        case 19: section_count = all->value.function; break;
        case 30: section_size = all->value.function; break;
        }
    return 0;
}
