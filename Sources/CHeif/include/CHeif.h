// HEIC photos through libheif, in a process of its own: a damaged file can crash the library, and its decoder believes
// the sizes that the coded picture claims.
#ifndef RUTTER_CHEIF_H
#define RUTTER_CHEIF_H

#include <stddef.h>
#include <stdint.h>

// Whether the library was there when the program was built, and is installed.
int cheif_is_there(void);

typedef enum cheif_status {
    CHEIF_OK = 0,
    CHEIF_TRUNCATED,
    CHEIF_CORRUPT,
    CHEIF_UNSUPPORTED,
    CHEIF_OUT_OF_MEMORY,
    CHEIF_CRASHED,  // or took too long
    CHEIF_SYSTEM    // no process could be made
} cheif_status;

enum { CHEIF_MESSAGE_SIZE = 256 };

typedef struct cheif_limits {
    uint64_t memory;    // bytes that the library may take
    uint64_t metadata;  // longest EXIF block and colour profile that are returned
    uint64_t pixels;    // most pixels that are decoded
} cheif_limits;

typedef struct cheif_photo {
    cheif_status status;
    char message[CHEIF_MESSAGE_SIZE];  // the library's words; empty where nothing went wrong
    uint32_t width;                    // of the primary picture, turned and cropped as the file says
    uint32_t height;
    uint8_t *exif;  // from the TIFF header on; NULL where there is none
    size_t exif_count;
    uint8_t *profile;  // ICC profile; NULL where there is none
    size_t profile_count;
} cheif_photo;

// Reads the headers of a file; released with cheif_free.
cheif_photo cheif_read(const uint8_t *bytes, size_t count, cheif_limits limits);

// Decodes the primary picture upright to RGB on white, 3 bytes a pixel; `capacity` is that of width * height.
cheif_photo cheif_decode(
    const uint8_t *bytes, size_t count, cheif_limits limits, uint8_t *pixels, size_t capacity);

void cheif_free(cheif_photo *photo);

#endif
