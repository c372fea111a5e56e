// HEIC photos through libheif, in a separate process: a damaged file can crash the library, and its decoder trusts the
// sizes stated in the coded picture.
#ifndef RUTTER_CHEIF_H
#define RUTTER_CHEIF_H

#include <stddef.h>
#include <stdint.h>

// Whether the program was built with the library, and it is installed.
int cheif_is_there(void);

typedef enum cheif_status {
    CHEIF_OK = 0,
    CHEIF_TRUNCATED,
    CHEIF_CORRUPT,
    CHEIF_UNSUPPORTED,
    CHEIF_OUT_OF_MEMORY,
    CHEIF_CRASHED,  // or took too long
    CHEIF_SYSTEM    // no process could be created
} cheif_status;

enum { CHEIF_MESSAGE_SIZE = 256 };

typedef struct cheif_limits {
    uint64_t memory;    // bytes that the library may allocate
    uint64_t metadata;  // maximum bytes of a returned EXIF block or colour profile
    uint64_t pixels;    // maximum pixels that are decoded
} cheif_limits;

typedef struct cheif_photo {
    cheif_status status;
    char message[CHEIF_MESSAGE_SIZE];  // the library's error message; empty without an error
    uint32_t width;                    // of the primary picture, rotated and cropped as stated in the file
    uint32_t height;
    uint8_t *exif;  // from the TIFF header on; NULL if there is none
    size_t exif_count;
    uint8_t *profile;  // ICC profile; NULL if there is none
    size_t profile_count;
} cheif_photo;

// Reads the headers of a file; released with cheif_free.
cheif_photo cheif_read(const uint8_t *bytes, size_t count, cheif_limits limits);

// Decodes the primary picture upright to RGB on white; `capacity` must be width * height * 3 bytes.
cheif_photo cheif_decode(
    const uint8_t *bytes, size_t count, cheif_limits limits, uint8_t *pixels, size_t capacity);

void cheif_free(cheif_photo *photo);

#endif
