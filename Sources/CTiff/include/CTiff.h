/* Height rasters in GeoTIFF by libtiff, loaded on first use. */
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

/* The values of the tags; numbers missing in the file are 0. */
typedef struct {
    uint32_t width, height;
    uint16_t compression, bits, format, samples_per_pixel;
    /* Degrees per column and row; column, row, east and north of one tie point. */
    int has_georeference;
    double scale[2], tie[4];
    /* GeoKeys 1024, 1025, 2048, 3072, 4099, 2054. */
    uint16_t model, raster, geographic, projected, vertical_units, angular_units;
    char citation[128];
    int has_nodata;
    double nodata;
    /* libtiff's error message. */
    char message[256];
} ctiff_head;

/* Whether the library is installed. */
int ctiff_is_there(void);
/* Reads the tags and, unless `samples` is NULL, at most `most` samples, row by row; the caller frees them. */
int ctiff_read(const char *path, ctiff_head *head, float **samples, uint64_t most);

#endif
