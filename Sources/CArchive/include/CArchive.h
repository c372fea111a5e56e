/* libarchive, loaded on first use: the functions of archive.h and archive_entry.h that are called. */
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <CLazyLibrary.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FATAL (-30)
#define ARCHIVE_FORMAT_RAW 0x90000

struct archive;
struct archive_entry;

/* Whether the library is installed. */
int archive_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CArchive.calls"
#undef CALL
#pragma GCC visibility pop

#endif
