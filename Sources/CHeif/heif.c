#include "CHeif.h"

#include <CLazyLibrary.h>
#include <stdlib.h>

#if !__has_include(<libheif/heif.h>)
LAZY_LIBRARY(cheif, NULL)

cheif_photo cheif_read(const uint8_t *bytes, size_t count, cheif_limits limits) {
    (void)bytes, (void)count, (void)limits;
    return (cheif_photo){.status = CHEIF_SYSTEM};
}

cheif_photo cheif_decode(
    const uint8_t *bytes, size_t count, cheif_limits limits, uint8_t *pixels, size_t capacity) {
    (void)pixels, (void)capacity;
    return cheif_read(bytes, count, limits);
}

#else

#include <CLazyProcess.h>
#include <libheif/heif.h>
#include <string.h>

LAZY_LIBRARY(cheif, "libheif.so.1")
#define heif_context_alloc LAZY(heif_context_alloc)
#define heif_context_get_primary_image_handle LAZY(heif_context_get_primary_image_handle)
#define heif_context_read_from_memory_without_copy LAZY(heif_context_read_from_memory_without_copy)
#define heif_context_set_max_decoding_threads LAZY(heif_context_set_max_decoding_threads)
#define heif_context_set_maximum_image_size_limit LAZY(heif_context_set_maximum_image_size_limit)
#define heif_decode_image LAZY(heif_decode_image)
#define heif_decoding_options_alloc LAZY(heif_decoding_options_alloc)
#define heif_image_get_height LAZY(heif_image_get_height)
#define heif_image_get_plane_readonly LAZY(heif_image_get_plane_readonly)
#define heif_image_get_width LAZY(heif_image_get_width)
#define heif_image_handle_get_height LAZY(heif_image_handle_get_height)
#define heif_image_handle_get_list_of_metadata_block_IDs LAZY(heif_image_handle_get_list_of_metadata_block_IDs)
#define heif_image_handle_get_metadata LAZY(heif_image_handle_get_metadata)
#define heif_image_handle_get_metadata_size LAZY(heif_image_handle_get_metadata_size)
#define heif_image_handle_get_raw_color_profile LAZY(heif_image_handle_get_raw_color_profile)
#define heif_image_handle_get_raw_color_profile_size LAZY(heif_image_handle_get_raw_color_profile_size)
#define heif_image_handle_get_width LAZY(heif_image_handle_get_width)
#define heif_image_handle_has_alpha_channel LAZY(heif_image_handle_has_alpha_channel)

// Seconds of processor time that reading may take; 12 megapixels take one.
static const rlim_t longest_time = 30;

// What the child reports first; EXIF, profile and pixels follow.
struct report {
    cheif_status status;
    char message[CHEIF_MESSAGE_SIZE];
    uint32_t width;
    uint32_t height;
    uint64_t exif;
    uint64_t profile;
};

static int is_sound(struct heif_error error, struct report *report) {
    if (error.code == heif_error_Ok) return 1;
    report->status = CHEIF_CORRUPT;
    if (error.subcode == heif_suberror_End_of_data) report->status = CHEIF_TRUNCATED;
    if (error.code == heif_error_Memory_allocation_error) report->status = CHEIF_OUT_OF_MEMORY;
    if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype)
        report->status = CHEIF_UNSUPPORTED;
    if (error.message) strncpy(report->message, error.message, sizeof report->message - 1);
    return 0;
}

// The EXIF block from its TIFF header on. The file's block begins with the header's offset (ISO 23008-12, A.2.1).
static uint8_t *exif_of(const struct heif_image_handle *handle, uint64_t most, uint64_t *count) {
    heif_item_id id = 0;
    *count = 0;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) < 1) return NULL;
    const size_t size = heif_image_handle_get_metadata_size(handle, id);
    if (size <= 4 || size > most) return NULL;
    uint8_t *block = malloc(size);
    if (!block) return NULL;
    if (heif_image_handle_get_metadata(handle, id, block).code == heif_error_Ok) {
        const uint64_t start = 4 + ((uint64_t)block[0] << 24 | block[1] << 16 | block[2] << 8 | block[3]);
        if (start < size) {
            *count = size - start;
            memmove(block, block + start, *count);
            return block;
        }
    }
    free(block);
    return NULL;
}

static uint8_t *profile_of(const struct heif_image_handle *handle, uint64_t most, uint64_t *count) {
    *count = 0;
    const size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    if (size == 0 || size > most) return NULL;
    uint8_t *profile = malloc(size);
    if (!profile) return NULL;
    if (heif_image_handle_get_raw_color_profile(handle, profile).code == heif_error_Ok) {
        *count = size;
        return profile;
    }
    free(profile);
    return NULL;
}

static struct heif_image *picture_of(const struct heif_image_handle *handle, int alpha, struct report *report) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options) options->convert_hdr_to_8bit = 1;
    struct heif_image *image = NULL;
    const enum heif_chroma chroma = alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    if (!is_sound(heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, options), report)) return NULL;
    if (heif_image_get_width(image, heif_channel_interleaved) != (int)report->width ||
        heif_image_get_height(image, heif_channel_interleaved) != (int)report->height) {
        report->status = CHEIF_CORRUPT;
        strcpy(report->message, "the picture's size differs from its header");
        return NULL;
    }
    return image;
}

static void send_rows(int file, const struct heif_image *image, int alpha, const struct report *report) {
    int stride = 0;
    const uint8_t *plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    uint8_t *row = malloc((size_t)report->width * 3);
    if (!plane || !row) return;
    for (uint32_t y = 0; y < report->height; ++y) {
        const uint8_t *from = plane + (ptrdiff_t)stride * y;
        if (alpha) {
            for (uint32_t x = 0; x < report->width; ++x) {
                for (int c = 0; c < 3; ++c) {
                    const int opaque = from[4 * x + 3];
                    row[3 * x + c] = (uint8_t)((from[4 * x + c] * opaque + 255 * (255 - opaque) + 127) / 255);
                }
            }
            from = row;
        }
        if (!write_all(file, from, (size_t)report->width * 3)) return;
    }
}

// Runs in the child: all results go through the pipe, and there are no other side effects.
static void send_photo(int file, const uint8_t *bytes, size_t count, cheif_limits limits, int decodes) {
    struct report report;
    memset(&report, 0, sizeof report);
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    uint8_t *exif = NULL, *profile = NULL;
    int alpha = 0;
    struct heif_context *context = heif_context_alloc();
    if (!context) {
        report.status = CHEIF_OUT_OF_MEMORY;
    } else if (
        is_sound(heif_context_read_from_memory_without_copy(context, bytes, count, NULL), &report) &&
        is_sound(heif_context_get_primary_image_handle(context, &handle), &report)) {
        report.width = (uint32_t)heif_image_handle_get_width(handle);
        report.height = (uint32_t)heif_image_handle_get_height(handle);
        exif = exif_of(handle, limits.metadata, &report.exif);
        profile = profile_of(handle, limits.metadata, &report.profile);
        alpha = heif_image_handle_has_alpha_channel(handle);
        if (decodes && (uint64_t)report.width * report.height <= limits.pixels)
            image = picture_of(handle, alpha, &report);
    }
    if (!write_all(file, &report, sizeof report)) return;
    if (report.status != CHEIF_OK) return;
    if (!write_all(file, exif, report.exif) || !write_all(file, profile, report.profile)) return;
    if (image) send_rows(file, image, alpha, &report);
}

static uint8_t *take_block(int file, uint64_t count, cheif_photo *photo) {
    if (count == 0 || photo->status != CHEIF_OK) return NULL;
    uint8_t *block = malloc(count);
    if (!block || !read_all(file, block, count)) photo->status = CHEIF_CRASHED;
    return block;
}

static void take(int file, cheif_limits limits, uint8_t *pixels, size_t capacity, cheif_photo *photo) {
    struct report report;
    if (!read_all(file, &report, sizeof report) || report.exif > limits.metadata || report.profile > limits.metadata) {
        photo->status = CHEIF_CRASHED;
        return;
    }
    photo->status = report.status;
    photo->width = report.width;
    photo->height = report.height;
    memcpy(photo->message, report.message, sizeof photo->message - 1);
    if (report.status != CHEIF_OK) return;
    photo->exif = take_block(file, report.exif, photo);
    photo->exif_count = report.exif;
    photo->profile = take_block(file, report.profile, photo);
    photo->profile_count = report.profile;
    if (pixels == NULL || photo->status != CHEIF_OK) return;
    if ((uint64_t)report.width * report.height * 3 != capacity || !read_all(file, pixels, capacity))
        photo->status = CHEIF_CRASHED;
}

static cheif_photo run(
    const uint8_t *bytes, size_t count, cheif_limits limits, uint8_t *pixels, size_t capacity) {
    cheif_photo photo;
    memset(&photo, 0, sizeof photo);
    int file = -1;
    // Loaded before the fork: the child has none of the threads that may hold the loader's lock.
    const pid_t child = cheif_is_there() ? begin_isolated(&file, longest_time) : -1;
    if (child == 0) {
        limit_memory(limits.memory);
        send_photo(file, bytes, count, limits, pixels != NULL);
        _exit(0);
    }
    if (child < 0) {
        photo.status = CHEIF_SYSTEM;
        return photo;
    }
    take(file, limits, pixels, capacity, &photo);
    end_isolated(child, file);
    if (photo.status != CHEIF_OK) cheif_free(&photo);
    return photo;
}

cheif_photo cheif_read(const uint8_t *bytes, size_t count, cheif_limits limits) {
    return run(bytes, count, limits, NULL, 0);
}

cheif_photo cheif_decode(
    const uint8_t *bytes, size_t count, cheif_limits limits, uint8_t *pixels, size_t capacity) {
    return run(bytes, count, limits, pixels, capacity);
}

#endif

void cheif_free(cheif_photo *photo) {
    free(photo->exif);
    free(photo->profile);
    photo->exif = photo->profile = NULL;
    photo->exif_count = photo->profile_count = 0;
}
