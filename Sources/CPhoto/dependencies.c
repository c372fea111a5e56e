// The functions of libjpeg and libexif that are called; the libraries are loaded on first use.
#include "headers.h"

#include <CLazyLibrary.h>

#include "CPhoto.h"

#if CPHOTO_CAN_BUILD

// Hidden: the libraries' own calls of these functions must not resolve to the forwarders.
#pragma GCC visibility push(hidden)
#include <stdio.h>

#include <jpeglib.h>
#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>
#pragma GCC visibility pop

LAZY_LIBRARY(cphoto, "libjpeg.so.62", "libexif.so.12")
#define CALL LAZY_DEFINE
#include "dependencies.calls"

#else

LAZY_LIBRARY(cphoto, NULL)

cphoto_status cphoto_jpeg_size(const uint8_t *bytes, size_t count, cphoto_size *size, cphoto_problem *problem) {
    (void)bytes, (void)count, (void)size, (void)problem;
    return CPHOTO_UNSUPPORTED;
}

uint32_t cphoto_shrunk(uint32_t length, int shrink) { return length / (uint32_t)shrink; }

cphoto_status cphoto_jpeg_decode(
    const uint8_t *bytes, size_t count, int shrink, cphoto_limits limits, uint8_t *pixels, size_t capacity,
    cphoto_problem *problem) {
    (void)bytes, (void)count, (void)shrink, (void)limits, (void)pixels, (void)capacity, (void)problem;
    return CPHOTO_UNSUPPORTED;
}

cphoto_status cphoto_jpeg_encode(
    cphoto_walk walk, int quality, const uint8_t *profile, size_t profile_count, uint8_t **bytes, size_t *count,
    cphoto_problem *problem) {
    (void)walk, (void)quality, (void)profile, (void)profile_count, (void)bytes, (void)count, (void)problem;
    return CPHOTO_UNSUPPORTED;
}

cphoto_status cphoto_jpeg_profile(
    const uint8_t *bytes, size_t count, uint8_t **profile, size_t *profile_count, cphoto_problem *problem) {
    (void)bytes, (void)count, (void)profile, (void)profile_count, (void)problem;
    return CPHOTO_UNSUPPORTED;
}

void cphoto_free(void *memory) { (void)memory; }

int cphoto_read_exif(const uint8_t *bytes, unsigned int count, cphoto_exif *result) {
    (void)bytes, (void)count, (void)result;
    return 0;
}

#endif
