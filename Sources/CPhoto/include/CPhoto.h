// JPEG and EXIF with error codes: libjpeg reports errors by longjmp and warnings on standard error. These
// functions catch both, so that an invalid file results in a code and a message, and never ends the process.
#ifndef RUTTER_CPHOTO_H
#define RUTTER_CPHOTO_H

#include <stddef.h>
#include <stdint.h>

// Whether the program was built with both libraries, and they are installed.
int cphoto_is_there(void);

typedef enum cphoto_status {
    CPHOTO_OK = 0,
    CPHOTO_NOT_AN_IMAGE,
    CPHOTO_TRUNCATED,
    CPHOTO_CORRUPT,
    CPHOTO_UNSUPPORTED,
    CPHOTO_OUT_OF_MEMORY
} cphoto_status;

enum { CPHOTO_MESSAGE_SIZE = 256 };

// The library's error message; empty without an error.
typedef struct cphoto_problem {
    char message[CPHOTO_MESSAGE_SIZE];
} cphoto_problem;

typedef struct cphoto_limits {
    int64_t max_memory;  // bytes the decoder may allocate for itself
    int max_scans;       // scans of a progressive file
} cphoto_limits;

typedef struct cphoto_size {
    uint32_t width;
    uint32_t height;
    int components;  // 1 grey, 3 colour, 4 CMYK
} cphoto_size;

// Reads the header only.
cphoto_status cphoto_jpeg_size(const uint8_t *bytes, size_t count, cphoto_size *size, cphoto_problem *problem);

// The size of the picture decoded with a shrink of 1, 2, 4 or 8.
uint32_t cphoto_shrunk(uint32_t length, int shrink);

// Decodes to RGB, 3 bytes a pixel, into `pixels` (capacity in bytes). `shrink` is 1, 2, 4 or 8.
cphoto_status cphoto_jpeg_decode(
    const uint8_t *bytes, size_t count, int shrink, cphoto_limits limits, uint8_t *pixels, size_t capacity,
    cphoto_problem *problem);

// How the encoder traverses the source pixels, so that a rotated picture requires no second buffer.
typedef struct cphoto_walk {
    const uint8_t *origin;  // the source pixel that becomes the first of the output
    ptrdiff_t step_x;       // bytes from an output pixel to its right neighbour
    ptrdiff_t step_y;       // bytes from an output pixel to the one below
    uint32_t width;         // of the output
    uint32_t height;
} cphoto_walk;

// Encodes RGB pixels as a baseline JPEG without metadata; `profile` is an ICC profile or NULL.
// The result is released with cphoto_free.
cphoto_status cphoto_jpeg_encode(
    cphoto_walk walk, int quality, const uint8_t *profile, size_t profile_count, uint8_t **bytes, size_t *count,
    cphoto_problem *problem);

// The ICC profile of a colour JPEG, or OK with count 0. The result is released with cphoto_free.
cphoto_status cphoto_jpeg_profile(
    const uint8_t *bytes, size_t count, uint8_t **profile, size_t *profile_count, cphoto_problem *problem);

void cphoto_free(void *memory);

enum { CPHOTO_TEXT_SIZE = 64 };

typedef struct cphoto_exif {
    int orientation;  // 1 to 8, 0 when absent or out of range
    int has_position;
    int position_is_unreadable;  // there are numbers, but no position can be made of them
    int position_is_void;        // there are numbers, which the receiver marked as without a fix
    int position_is_zero;        // the numbers are 0, 0
    double latitude;
    double longitude;
    int has_altitude;
    double altitude;
    char taken[CPHOTO_TEXT_SIZE];   // DateTimeOriginal as written, or else DateTimeDigitized
    char offset[CPHOTO_TEXT_SIZE];  // OffsetTimeOriginal as written, such as +01:00
    char changed[CPHOTO_TEXT_SIZE];         // DateTime as written
    char changed_offset[CPHOTO_TEXT_SIZE];  // OffsetTime as written
    char gps_time[CPHOTO_TEXT_SIZE];  // GPSDateStamp and GPSTimeStamp in UTC, in the format of `taken`
    char make[CPHOTO_TEXT_SIZE];
    char model[CPHOTO_TEXT_SIZE];
} cphoto_exif;

// Reads an EXIF block that begins with "Exif\0\0". Returns 0 if nothing in it is readable.
int cphoto_read_exif(const uint8_t *bytes, unsigned int count, cphoto_exif *result);

#endif
