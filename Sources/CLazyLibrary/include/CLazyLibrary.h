/*
 * Shared libraries that are loaded on first use.
 *
 * A program that links a library loads it and its dependencies at each start, and does not start without it. A module
 * for a library instead lists the functions that are called, one per line, in a file NAME.calls:
 *
 *     CALL(int, inflateEnd, (z_stream *stream), (stream))
 *
 * Its header declares them by LAZY_DECLARE, and its one source file defines them:
 *
 *     LAZY_LIBRARY(zlib, "libz.so.1")
 *     #define CALL LAZY_DEFINE
 *     #include "CZlib.calls"
 *
 * If the library is not installed, zlib_is_there() returns 0, and so do its functions: check first.
 */
#ifndef CLAZYLIBRARY_H
#define CLAZYLIBRARY_H

#include <stddef.h>

#define LAZY_FILES 4

typedef struct {
    /* File names with the version of the ABI; none if the program was built without the headers. */
    const char *files[LAZY_FILES];
    void *handles[LAZY_FILES];
} lazy_library;

/* Whether the library can be loaded. */
int lazy_is_there(lazy_library *library);
/* A function of it, or NULL. */
void *lazy_function(lazy_library *library, const char *name);

/* Declares the library of a source file, which may consist of several files. */
#define LAZY_LIBRARY(name, ...)                                                                                        \
    static lazy_library library = {{__VA_ARGS__}, {NULL}};                                                             \
    int name##_is_there(void) { return lazy_is_there(&library); }

/* A function by its name and type; looked up once. */
#define LAZY(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) known;                                                                                \
        __typeof__(&name) call = __atomic_load_n(&known, __ATOMIC_RELAXED);                                            \
        if (!call) {                                                                                                   \
            call = (__typeof__(&name))lazy_function(&library, #name);                                                  \
            __atomic_store_n(&known, call, __ATOMIC_RELAXED);                                                          \
        }                                                                                                              \
        call;                                                                                                          \
    })

#define LAZY_DECLARE(type, name, parameters, arguments) type name parameters;
#define LAZY_DEFINE(type, name, parameters, arguments)                                                                 \
    type name parameters {                                                                                             \
        __typeof__(&name) call = LAZY(name);                                                                           \
        return call ? call arguments : (type)0;                                                                        \
    }

#endif
