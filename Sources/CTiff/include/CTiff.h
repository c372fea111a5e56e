/* Rasters of heights in GeoTIFF by libtiff, which is loaded when it is first used. */
#ifndef CTIFF_H
#define CTIFF_H

#include <CLazyLibrary.h>
#include <stdint.h>

#define CTIFF_OK 0
#define CTIFF_UNREADABLE 1
#define CTIFF_COMPRESSION 2
#define CTIFF_LAYOUT 3
#define CTIFF_TOO_LARGE 4
#define CTIFF_MEMORY 5

/* What the tags tell; numbers that a file does not have are 0. */
typedef struct {
    uint32_t width, height;
    uint16_t compression, bits, format, samples_per_pixel;
    /* Degrees a column and a row; column, row, east and north of one place. */
    int has_place;
    double scale[2], tie[4];
    /* GeoKeys 1024, 1025, 2048, 3072, 4099. */
    uint16_t model, raster, geographic, projected, vertical_units;
    char citation[128];
    int has_nodata;
    double nodata;
    /* What libtiff says of a fault. */
    char message[256];
} ctiff_head;

/* Whether the library is installed. */
int ctiff_is_there(void);
/* Reads the tags and, unless `samples` is NULL, at most `most` samples, row by row; free() is the caller's. */
int ctiff_read(const char *path, ctiff_head *head, float **samples, uint64_t most);

#endif
