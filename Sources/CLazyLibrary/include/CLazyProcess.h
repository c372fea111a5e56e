/*
 * Calls of a library in a separate process, because it can crash or hang on a damaged file. isolate is for a child
 * between fork and _exit only.
 */
#ifndef CLAZYPROCESS_H
#define CLAZYPROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int write_all(int file, const void *bytes, size_t count) {
    const char *at = (const char *)bytes;
    while (count > 0) {
        const ssize_t done = write(file, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        at += done;
        count -= (size_t)done;
    }
    return 1;
}

static inline int read_all(int file, void *bytes, size_t count) {
    char *at = (char *)bytes;
    while (count > 0) {
        const ssize_t done = read(file, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        at += done;
        count -= (size_t)done;
    }
    return 1;
}

/* Resets signals, closes standard streams, and limits processor time to `seconds`. */
static inline void isolate(rlim_t seconds) {
    const int signals[] = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPIPE};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; ++index) signal(signals[index], SIG_DFL);
    const struct rlimit time = {seconds, seconds};
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int file = 0; nowhere >= 0 && file <= 2; ++file) dup2(nowhere, file);
}

/* Limits the process's memory to the current size plus a number of bytes. */
static inline void limit_memory(unsigned long long more) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return;
    if (fscanf(file, "%llu", &pages) == 1) {
        const rlim_t most = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + more);
        const struct rlimit memory = {most, most};
        setrlimit(RLIMIT_AS, &memory);
    }
    fclose(file);
}

/*
 * Starts an isolated process with a pipe from it. Returns 0 in the child, which writes to `file` and ends by _exit, and
 * the process id in the parent, which reads from `file` and calls end_isolated. Less than 0 if no process
 * can be created.
 */
static inline pid_t begin_isolated(int *file, rlim_t seconds) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        isolate(seconds);
        // Close other files: a lock on one of them would last as long as this process.
        *file = STDERR_FILENO + 1;
        dup2(ends[1], *file);
        close_range((unsigned)*file + 1, ~0U, 0);
        return 0;
    }
    *file = ends[0];
    close(ends[1]);
    if (child < 0) close(*file);
    return child;
}

/* Ends a process, and closes its pipe. */
static inline void end_isolated(pid_t child, int file) {
    int status = 0;
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    close(file);
}

#endif
