// Stands in the place of GCC's lto-wrapper: links the objects of compiled/, which is beside it, into
// the temporary directory, and prints their names there.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char own[4096], from[8192], to[8192];
    const char *temporary = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0)
        return 1;
    own[length] = 0;
    strcpy(strrchr(own, '/'), "/compiled");
    DIR *directory = opendir(own);
    if (!directory)
        return 1;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(from, sizeof from, "%s/%s", own, entry->d_name);
        snprintf(to, sizeof to, "%s/lto-%d-%s", temporary, getpid(), entry->d_name);
        if (link(from, to) && symlink(from, to))
            return 1;
        puts(to);
    }
    return 0;
}
