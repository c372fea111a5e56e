#include "headers.h"

#if CPHOTO_CAN_BUILD

#include <stdlib.h>
#include <string.h>

#include "errors.h"

typedef struct watch {
    struct jpeg_progress_mgr manager;  // must be first, as in guard
    int max_scans;
} watch;

// A progressive file may have any number of scans, each as expensive as decoding the whole picture.
static void on_progress(j_common_ptr info) {
    watch *self = (watch *)info->progress;
    if (((j_decompress_ptr)info)->input_scan_number > self->max_scans)
        guard_fail(info, CPHOTO_UNSUPPORTED, "too many scans");
}

static void begin(j_decompress_ptr info, const uint8_t *bytes, size_t count) {
    jpeg_create_decompress(info);
    jpeg_mem_src(info, bytes, (unsigned long)count);
}

cphoto_status cphoto_jpeg_size(const uint8_t *bytes, size_t count, cphoto_size *size, cphoto_problem *problem) {
    struct jpeg_decompress_struct info;
    guard errors;
    memset(&info, 0, sizeof info);
    info.err = guard_init(&errors, problem);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        return errors.status;
    }
    begin(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    size->width = info.image_width;
    size->height = info.image_height;
    size->components = info.num_components;
    jpeg_destroy_decompress(&info);
    return CPHOTO_OK;
}

uint32_t cphoto_shrunk(uint32_t length, int shrink) {
    return (uint32_t)(((uint64_t)length + (uint64_t)shrink - 1) / (uint64_t)shrink);
}

// Adobe writes CMYK inverted: 255 is no ink.
static void rgb_from_cmyk(const uint8_t *cmyk, uint8_t *rgb, uint32_t width, int inverted) {
    for (uint32_t x = 0; x < width; x++, cmyk += 4, rgb += 3) {
        int key = inverted ? cmyk[3] : 255 - cmyk[3];
        for (int c = 0; c < 3; c++) {
            int paper = inverted ? cmyk[c] : 255 - cmyk[c];
            rgb[c] = (uint8_t)((paper * key + 127) / 255);
        }
    }
}

static void read_rows(j_decompress_ptr info, uint8_t *pixels) {
    size_t stride = (size_t)info->output_width * 3;
    JSAMPARRAY inks = NULL;
    if (info->out_color_space == JCS_CMYK)
        inks = (*info->mem->alloc_sarray)(
            (j_common_ptr)info, JPOOL_IMAGE, info->output_width * 4, 1);
    while (info->output_scanline < info->output_height) {
        uint8_t *row = pixels + stride * info->output_scanline;
        if (inks != NULL) {
            jpeg_read_scanlines(info, inks, 1);
            rgb_from_cmyk(inks[0], row, info->output_width, info->saw_Adobe_marker);
        } else {
            JSAMPROW rows[1] = {row};
            jpeg_read_scanlines(info, rows, 1);
        }
    }
}

cphoto_status cphoto_jpeg_decode(
    const uint8_t *bytes, size_t count, int shrink, cphoto_limits limits, uint8_t *pixels, size_t capacity,
    cphoto_problem *problem) {
    struct jpeg_decompress_struct info;
    guard errors;
    watch progress;
    memset(&info, 0, sizeof info);
    memset(&progress, 0, sizeof progress);
    info.err = guard_init(&errors, problem);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        return errors.status;
    }
    begin(&info, bytes, count);
    info.mem->max_memory_to_use = (long)limits.max_memory;
    progress.manager.progress_monitor = on_progress;
    progress.max_scans = limits.max_scans;
    info.progress = &progress.manager;
    jpeg_read_header(&info, TRUE);
    info.scale_num = 1;
    info.scale_denom = (unsigned int)shrink;
    info.dct_method = JDCT_ISLOW;
    int inks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = inks ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(&info);
    if ((uint64_t)info.output_width * info.output_height * 3 > capacity)
        guard_fail((j_common_ptr)&info, CPHOTO_CORRUPT, "the size changed between header and picture");
    read_rows(&info, pixels);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return CPHOTO_OK;
}

cphoto_status cphoto_jpeg_profile(
    const uint8_t *bytes, size_t count, uint8_t **profile, size_t *profile_count, cphoto_problem *problem) {
    struct jpeg_decompress_struct info;
    guard errors;
    *profile = NULL;
    *profile_count = 0;
    memset(&info, 0, sizeof info);
    info.err = guard_init(&errors, problem);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        return errors.status;
    }
    begin(&info, bytes, count);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(&info, TRUE);
    JOCTET *data = NULL;
    unsigned int length = 0;
    if (info.num_components == 3 && jpeg_read_icc_profile(&info, &data, &length)) {
        *profile = data;
        *profile_count = length;
    }
    jpeg_destroy_decompress(&info);
    return CPHOTO_OK;
}

void cphoto_free(void *memory) { free(memory); }

#endif
