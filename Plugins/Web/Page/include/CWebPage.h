#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// A file of the page: its name, and its bytes, which live as long as the process.
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} web_file;

/// The files, in the order of their names. `count` receives their number.
const web_file *web_files(size_t *count);

#endif
