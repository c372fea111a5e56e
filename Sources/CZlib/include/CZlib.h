/* zlib, loaded on first use: the functions of zlib.h that are called. */
#ifndef CZLIB_H
#define CZLIB_H

#include <CLazyLibrary.h>

typedef struct {
    unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned, unsigned);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;

#define ZLIB_VERSION "1"
#define Z_NO_FLUSH 0
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BUF_ERROR (-5)
#define Z_DEFAULT_COMPRESSION (-1)
#define Z_DEFAULT_STRATEGY 0
#define Z_RLE 3
#define Z_DEFLATED 8
#define MAX_MEM_LEVEL 9

/* Whether the library is installed. */
int zlib_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CZlib.calls"
#undef CALL
#pragma GCC visibility pop

#endif
