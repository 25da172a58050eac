// A compiler plugin that loads another one, REAL, and writes how long that one was at work to the
// file of the option times=FILE, in milliseconds.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TAG_OPTION = 4, TAG_CLAIM = 5, TAG_ALL_READ = 6, TAG_CLEANUP = 7 };

struct entry {
    int tag;
    union {
        const char *text;
        int (*set)(void *hook);
    } value;
};

static const char *times;
static double at_work;
static int (*set_claim)(void *), (*set_all_read)(void *), (*set_cleanup)(void *);
static int (*claim_hook)(const void *, int *), (*all_read_hook)(void), (*cleanup_hook)(void);

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int claim(const void *file, int *claimed)
{
    double start = now();
    int status = claim_hook(file, claimed);
    at_work += now() - start;
    return status;
}

static int all_read(void)
{
    double start = now();
    int status = all_read_hook();
    at_work += now() - start;
    return status;
}

static int cleanup(void)
{
    double start = now();
    int status = cleanup_hook ? cleanup_hook() : 0;
    at_work += now() - start;
    FILE *file = times ? fopen(times, "w") : NULL;
    if (file) {
        fprintf(file, "%.3f\n", at_work);
        fclose(file);
    }
    return status;
}

static int take_claim(void *hook)
{
    claim_hook = (int (*)(const void *, int *))hook;
    return set_claim((void *)claim);
}

static int take_all_read(void *hook)
{
    all_read_hook = (int (*)(void))hook;
    return set_all_read((void *)all_read);
}

static int take_cleanup(void *hook)
{
    cleanup_hook = (int (*)(void))hook;
    return 0;
}

int onload(struct entry *all)
{
    static struct entry seen[1000];
    int count = 0;
    double start = now();
    for (; all->tag && count < 999; all++) {
        struct entry entry = *all;
        if (entry.tag == TAG_OPTION && !strncmp(entry.value.text, "times=", 6)) {
            times = entry.value.text + 6;
            continue;
        }
        if (entry.tag == TAG_CLAIM) {
            set_claim = entry.value.set;
            entry.value.set = take_claim;
        } else if (entry.tag == TAG_ALL_READ) {
            set_all_read = entry.value.set;
            entry.value.set = take_all_read;
        } else if (entry.tag == TAG_CLEANUP) {
            set_cleanup = entry.value.set;
            entry.value.set = take_cleanup;
        }
        seen[count++] = entry;
    }
    void *real = dlopen(REAL, RTLD_NOW);
    if (!real) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*real_onload)(struct entry *) = (int (*)(struct entry *))dlsym(real, "onload");
    int status = real_onload(seen);
    set_cleanup((void *)cleanup);
    at_work += now() - start;
    return status;
}
