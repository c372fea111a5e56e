#include "headers.h"

#if CPHOTO_CAN_BUILD

#include <stdlib.h>
#include <string.h>

#include "errors.h"

// Rows gathered at a time: a picture turned by 90° is read along its columns, and neighbours in a column
// share no cache line, but neighbours in a row do.
enum { STRIP = 16 };

static void gather(const cphoto_walk *walk, uint32_t first, uint32_t rows, JSAMPARRAY strip) {
    for (uint32_t x = 0; x < walk->width; x++) {
        const uint8_t *column = walk->origin + (ptrdiff_t)x * walk->step_x;
        for (uint32_t y = 0; y < rows; y++)
            memcpy(strip[y] + (size_t)x * 3, column + (ptrdiff_t)(first + y) * walk->step_y, 3);
    }
}

static void write_rows(j_compress_ptr info, const cphoto_walk *walk) {
    JSAMPARRAY strip =
        (*info->mem->alloc_sarray)((j_common_ptr)info, JPOOL_IMAGE, walk->width * 3, STRIP);
    while (info->next_scanline < info->image_height) {
        uint32_t left = info->image_height - info->next_scanline;
        uint32_t rows = left < STRIP ? left : STRIP;
        gather(walk, info->next_scanline, rows, strip);
        jpeg_write_scanlines(info, strip, rows);
    }
}

static void configure(j_compress_ptr info, const cphoto_walk *walk, int quality) {
    info->image_width = walk->width;
    info->image_height = walk->height;
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, quality, TRUE);
    info->dct_method = JDCT_ISLOW;
    info->optimize_coding = TRUE;
}

// The buffer that libjpeg grows is here and not on the stack: its value must survive a longjmp.
typedef struct output {
    unsigned char *bytes;
    unsigned long count;
} output;

static cphoto_status encode(
    const cphoto_walk *walk, int quality, const uint8_t *profile, size_t profile_count, output *result,
    cphoto_problem *problem) {
    struct jpeg_compress_struct info;
    guard errors;
    memset(&info, 0, sizeof info);
    info.err = guard_init(&errors, problem);
    if (setjmp(errors.escape)) {
        // Only the destination has the address of a buffer that has grown; this call stores it.
        if (info.dest != NULL) (*info.dest->term_destination)(&info);
        jpeg_destroy_compress(&info);
        return errors.status;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &result->bytes, &result->count);
    configure(&info, walk, quality);
    jpeg_start_compress(&info, TRUE);
    if (profile != NULL && profile_count > 0)
        jpeg_write_icc_profile(&info, profile, (unsigned int)profile_count);
    write_rows(&info, walk);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return CPHOTO_OK;
}

cphoto_status cphoto_jpeg_encode(
    cphoto_walk walk, int quality, const uint8_t *profile, size_t profile_count, uint8_t **bytes, size_t *count,
    cphoto_problem *problem) {
    output result = {NULL, 0};
    cphoto_status status = encode(&walk, quality, profile, profile_count, &result, problem);
    if (status != CPHOTO_OK) {
        free(result.bytes);
        return status;
    }
    *bytes = result.bytes;
    *count = result.count;
    return CPHOTO_OK;
}

#endif
