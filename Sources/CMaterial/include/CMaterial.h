#ifndef CMATERIAL_H
#define CMATERIAL_H

#include <stddef.h>

/// A file that the program carries: its path in a folder of notebooks, and its bytes, which live as long as the process.
typedef struct {
    const char *path;
    const unsigned char *bytes;
    size_t size;
} rutter_material;

/// The files, in the order of their paths. `count` receives their number.
const rutter_material *rutter_materials(size_t *count);

/// The commit that the program was built from; empty if it was not built for a release.
const char *rutter_commit(void);

#endif
