// SPDX-License-Identifier: GPL-3.0-or-later
// /usr/bin/rokada of the packages: starts the program built for the best level this processor has. ROKADA_CPU (baseline, v2, v3, v4)
// forces one, for tests. It finds the programs beside itself, so the whole folder can be moved.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int try_level(const char* level, char** arguments) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    if (length <= 0) return -1;
    path[length] = '\0';
    for (int up = 0; up < 2; ++up) {
        char* const slash = strrchr(path, '/');
        if (!slash) return -1;
        *slash = '\0';
    }
    strcat(path, "/lib/rokada/rokada-");
    strncat(path, level, 16);
    return execv(path, arguments);
}

int main(int argc, char** arguments) {
    (void)argc;
    const char* const forced = getenv("ROKADA_CPU");
    if (forced && !strchr(forced, '/')) {
        try_level(forced, arguments);
    } else {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("x86-64-v4")) try_level("v4", arguments);
        if (__builtin_cpu_supports("x86-64-v3")) try_level("v3", arguments);
        if (__builtin_cpu_supports("x86-64-v2")) try_level("v2", arguments);
        try_level("baseline", arguments);
    }
    fprintf(stderr, "rokada: the program for this processor is not installed\n");
    return 2;
}
