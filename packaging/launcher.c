// SPDX-License-Identifier: GPL-3.0-or-later
// /usr/bin/rokada of the packages: starts the program built for the best level this processor has. ROKADA_CPU (baseline, v2, v3, v4)
// forces one, for tests. It finds the programs beside itself, so the whole folder can be moved.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// The folder above the one this program is in.
static int find_folder(char* folder) {
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length > 0) {
        folder[length] = '\0';
    } else {  // a root without /proc
        const char* const started = (const char*)getauxval(AT_EXECFN);
        if (!started || !realpath(started, folder)) return -1;
    }
    for (int up = 0; up < 2; ++up) {
        char* const slash = strrchr(folder, '/');
        if (!slash) return -1;
        *slash = '\0';
    }
    return 0;
}

static void try_level(const char* folder, const char* level, char** arguments) {
    char path[PATH_MAX + 64];
    if (snprintf(path, sizeof path, "%s/lib/rokada/rokada-%s", folder, level) < (int)sizeof path)
        execv(path, arguments);
}

int main(int argc, char** arguments) {
    (void)argc;
    char folder[PATH_MAX];
    const char* const forced = getenv("ROKADA_CPU");
    if (find_folder(folder) == 0) {
        if (forced && !strchr(forced, '/')) {
            try_level(folder, forced, arguments);
        } else {
            __builtin_cpu_init();
            if (__builtin_cpu_supports("x86-64-v4")) try_level(folder, "v4", arguments);
            if (__builtin_cpu_supports("x86-64-v3")) try_level(folder, "v3", arguments);
            if (__builtin_cpu_supports("x86-64-v2")) try_level(folder, "v2", arguments);
            try_level(folder, "baseline", arguments);
        }
    }
    fprintf(stderr, "rokada: the program for this processor is not installed\n");
    return 2;
}
