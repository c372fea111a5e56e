#include "CTiff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of tiffio.h that are called. */
typedef struct tiff TIFF;
typedef void (*TIFFErrorHandler)(const char *, const char *, va_list);
TIFF *TIFFOpen(const char *, const char *);
void TIFFClose(TIFF *);
int TIFFGetField(TIFF *, uint32_t, ...);
int TIFFGetFieldDefaulted(TIFF *, uint32_t, ...);
int TIFFIsCODECConfigured(uint16_t);
int TIFFIsTiled(TIFF *);
int64_t TIFFTileSize(TIFF *);
int64_t TIFFStripSize(TIFF *);
int64_t TIFFReadEncodedTile(TIFF *, uint32_t, void *, int64_t);
int64_t TIFFReadEncodedStrip(TIFF *, uint32_t, void *, int64_t);
uint32_t TIFFNumberOfTiles(TIFF *);
uint32_t TIFFNumberOfStrips(TIFF *);
TIFFErrorHandler TIFFSetErrorHandler(TIFFErrorHandler);
TIFFErrorHandler TIFFSetWarningHandler(TIFFErrorHandler);

LAZY_LIBRARY(ctiff, "libtiff.so.6")

enum {
    TAG_WIDTH = 256, TAG_HEIGHT = 257, TAG_BITS = 258, TAG_COMPRESSION = 259, TAG_SAMPLES = 277,
    TAG_ROWS_PER_STRIP = 278, TAG_TILE_WIDTH = 322, TAG_TILE_HEIGHT = 323, TAG_FORMAT = 339,
    TAG_SCALE = 33550, TAG_TIE = 33922, TAG_KEYS = 34735, TAG_TEXTS = 34737, TAG_NODATA = 42113,
};
enum { FORMAT_UNSIGNED = 1, FORMAT_SIGNED = 2, FORMAT_FLOAT = 3 };
enum { LEAST_BLOCK_SIDE = 1 };

/* The first error on this thread: later ones result from it. */
static _Thread_local char fault[sizeof((ctiff_head *)0)->message];

static void keep_fault(const char *module, const char *format, va_list arguments) {
    (void)module;
    if (!fault[0]) vsnprintf(fault, sizeof fault, format, arguments);
}

static const double *doubles(TIFF *tiff, uint32_t tag, uint32_t least) {
    uint32_t count = 0;
    const double *values = NULL;
    return LAZY(TIFFGetField)(tiff, tag, &count, &values) && count >= least ? values : NULL;
}

static void read_keys(TIFF *tiff, ctiff_head *head) {
    uint32_t count = 0, length = 0;
    const uint16_t *keys = NULL;
    const char *texts = NULL;
    if (!LAZY(TIFFGetField)(tiff, TAG_KEYS, &count, &keys) || count < 4) return;
    if (!LAZY(TIFFGetField)(tiff, TAG_TEXTS, &length, &texts)) length = 0;
    for (uint32_t at = 4; at + 3 < count && (at - 4) / 4 < keys[3]; at += 4) {
        const uint16_t key = keys[at], location = keys[at + 1], size = keys[at + 2], value = keys[at + 3];
        if (location == 0) {
            if (key == 1024) head->model = value;
            if (key == 1025) head->raster = value;
            if (key == 2048) head->geographic = value;
            if (key == 3072) head->projected = value;
            if (key == 2054) head->angular_units = value;
            if (key == 4099) head->vertical_units = value;
        } else if (location == TAG_TEXTS && (key == 1026 || key == 2049 || key == 3073) && !head->citation[0] &&
                   (uint32_t)value + size <= length) {
            const size_t most = size < sizeof head->citation ? size : sizeof head->citation - 1;
            memcpy(head->citation, texts + value, most);
            char *end = strchr(head->citation, '|');
            if (end) *end = 0;
        }
    }
}

static void read_head(TIFF *tiff, ctiff_head *head) {
    LAZY(TIFFGetField)(tiff, TAG_WIDTH, &head->width);
    LAZY(TIFFGetField)(tiff, TAG_HEIGHT, &head->height);
    LAZY(TIFFGetFieldDefaulted)(tiff, TAG_COMPRESSION, &head->compression);
    LAZY(TIFFGetFieldDefaulted)(tiff, TAG_BITS, &head->bits);
    LAZY(TIFFGetFieldDefaulted)(tiff, TAG_FORMAT, &head->format);
    LAZY(TIFFGetFieldDefaulted)(tiff, TAG_SAMPLES, &head->samples_per_pixel);
    const double *scale = doubles(tiff, TAG_SCALE, 2), *tie = doubles(tiff, TAG_TIE, 6);
    if (scale && tie) {
        head->has_georeference = 1;
        memcpy(head->scale, scale, sizeof head->scale);
        const double tie_point[4] = {tie[0], tie[1], tie[3], tie[4]};
        memcpy(head->tie, tie_point, sizeof tie_point);
    }
    read_keys(tiff, head);
    uint32_t length = 0;
    const char *text = NULL;
    if (LAZY(TIFFGetField)(tiff, TAG_NODATA, &length, &text) && length > 0 && length < 64) {
        char copy[65] = {0};
        memcpy(copy, text, length);
        char *end = copy;
        head->nodata = strtod(copy, &end);
        head->has_nodata = end != copy;
    }
}

static float sample(const char *at, const ctiff_head *head) {
    if (head->format == FORMAT_FLOAT && head->bits == 32) { float v; memcpy(&v, at, 4); return v; }
    if (head->format == FORMAT_FLOAT) { double v; memcpy(&v, at, 8); return (float)v; }
    if (head->format == FORMAT_SIGNED && head->bits == 16) { int16_t v; memcpy(&v, at, 2); return v; }
    if (head->format == FORMAT_SIGNED) { int32_t v; memcpy(&v, at, 4); return (float)v; }
    if (head->bits == 16) { uint16_t v; memcpy(&v, at, 2); return v; }
    uint32_t v; memcpy(&v, at, 4); return (float)v;
}

static int is_known(const ctiff_head *head) {
    if (head->samples_per_pixel != 1) return 0;
    if (head->format == FORMAT_FLOAT) return head->bits == 32 || head->bits == 64;
    return (head->format == FORMAT_SIGNED || head->format == FORMAT_UNSIGNED) && (head->bits == 16 || head->bits == 32);
}

/* Blocks are tiles, or strips as wide as the raster. */
static int read_samples(TIFF *tiff, const ctiff_head *head, float *samples) {
    const int tiled = LAZY(TIFFIsTiled)(tiff);
    uint32_t wide = head->width, high = head->height;
    if (tiled) {
        LAZY(TIFFGetField)(tiff, TAG_TILE_WIDTH, &wide);
        LAZY(TIFFGetField)(tiff, TAG_TILE_HEIGHT, &high);
    } else {
        LAZY(TIFFGetFieldDefaulted)(tiff, TAG_ROWS_PER_STRIP, &high);
        if (high > head->height) high = head->height;
    }
    if (wide < LEAST_BLOCK_SIDE || high < LEAST_BLOCK_SIDE) return CTIFF_LAYOUT;
    const uint64_t bytes = head->bits / 8, needed = (uint64_t)wide * high * bytes;
    const int64_t size = tiled ? LAZY(TIFFTileSize)(tiff) : LAZY(TIFFStripSize)(tiff);
    const uint64_t across = ((uint64_t)head->width + wide - 1) / wide, down = ((uint64_t)head->height + high - 1) / high;
    const uint32_t blocks = tiled ? LAZY(TIFFNumberOfTiles)(tiff) : LAZY(TIFFNumberOfStrips)(tiff);
    if (size <= 0 || (uint64_t)size < needed || across * down != blocks || size > (int64_t)1 << 30) return CTIFF_LAYOUT;
    char *block = malloc((size_t)size);
    if (!block) return CTIFF_MEMORY;
    for (uint32_t index = 0; index < blocks; index++) {
        const uint32_t top = (uint32_t)(index / across) * high, left = (uint32_t)(index % across) * wide;
        const uint32_t rows = head->height - top < high ? head->height - top : high;
        const uint32_t columns = head->width - left < wide ? head->width - left : wide;
        const int64_t got = tiled ? LAZY(TIFFReadEncodedTile)(tiff, index, block, size)
                                  : LAZY(TIFFReadEncodedStrip)(tiff, index, block, size);
        if (got < 0 || (uint64_t)got < ((uint64_t)(rows - 1) * wide + columns) * bytes) {
            free(block);
            return CTIFF_UNREADABLE;
        }
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t column = 0; column < columns; column++)
                samples[(uint64_t)(top + row) * head->width + left + column] =
                    sample(block + ((uint64_t)row * wide + column) * bytes, head);
    }
    free(block);
    return CTIFF_OK;
}

int ctiff_read(const char *path, ctiff_head *head, float **samples, uint64_t most) {
    memset(head, 0, sizeof *head);
    fault[0] = 0;
    LAZY(TIFFSetErrorHandler)(keep_fault);
    LAZY(TIFFSetWarningHandler)(NULL);
    TIFF *tiff = LAZY(TIFFOpen)(path, "r");
    int status = tiff ? CTIFF_OK : CTIFF_UNREADABLE;
    if (tiff) {
        read_head(tiff, head);
        const uint64_t count = (uint64_t)head->width * head->height;
        if (!LAZY(TIFFIsCODECConfigured)(head->compression)) status = CTIFF_COMPRESSION;
        else if (!is_known(head) || count == 0) status = CTIFF_LAYOUT;
        else if (count > most) status = CTIFF_TOO_LARGE;
        else if (samples) {
            *samples = malloc(count * sizeof **samples);
            status = *samples ? read_samples(tiff, head, *samples) : CTIFF_MEMORY;
            if (status) {
                free(*samples);
                *samples = NULL;
            }
        }
        LAZY(TIFFClose)(tiff);
    }
    memcpy(head->message, fault, sizeof fault);
    return status;
}
