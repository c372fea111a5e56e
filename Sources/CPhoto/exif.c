#include "headers.h"

#if CPHOTO_CAN_BUILD

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>

#include "CPhoto.h"

static ExifEntry *entry_of(ExifData *data, ExifIfd ifd, ExifTag tag) {
    return data->ifd[ifd] == NULL ? NULL : exif_content_get_entry(data->ifd[ifd], tag);
}

// Blanks between the signs, or zeros, stand for a time that is not known (EXIF 2.32, 4.6.5).
static int is_unknown_time(const char *text) { return strpbrk(text, "123456789") == NULL; }

static void read_text(ExifData *data, ExifIfd ifd, ExifTag tag, char *text) {
    ExifEntry *entry = entry_of(data, ifd, tag);
    text[0] = '\0';
    if (entry == NULL || entry->format != EXIF_FORMAT_ASCII || entry->data == NULL) return;
    size_t length = entry->size < CPHOTO_TEXT_SIZE - 1 ? entry->size : CPHOTO_TEXT_SIZE - 1;
    memcpy(text, entry->data, length);
    text[length] = '\0';
}

// One unsigned rational of an entry; fails on a zero denominator and on too few values.
static int read_rational(ExifEntry *entry, unsigned index, ExifByteOrder order, double *value) {
    if (entry == NULL || entry->data == NULL) return 0;
    // Some telephones write the signed kind, with numbers that are not negative.
    int is_signed = entry->format == EXIF_FORMAT_SRATIONAL;
    if (entry->format != EXIF_FORMAT_RATIONAL && !is_signed) return 0;
    if (entry->components <= index || entry->size < (index + 1) * 8) return 0;
    const unsigned char *bytes = entry->data + index * 8;
    ExifLong numerator = exif_get_long(bytes, order), denominator = exif_get_long(bytes + 4, order);
    if (denominator == 0) return 0;
    if (is_signed && ((numerator | denominator) & 0x80000000u) != 0) return 0;
    *value = (double)numerator / denominator;
    return 1;
}

// Whether all rationals of an entry have a zero denominator or, if asked for, a zero numerator: no number was written.
static int is_blank(ExifEntry *entry, int with_zeros, ExifByteOrder order) {
    if (entry->data == NULL || entry->components == 0) return 0;
    if (entry->format != EXIF_FORMAT_RATIONAL && entry->format != EXIF_FORMAT_SRATIONAL) return 0;
    if (entry->size / 8 < entry->components) return 0;
    for (unsigned long index = 0; index < entry->components; index++) {
        const unsigned char *bytes = entry->data + index * 8;
        if (exif_get_long(bytes + 4, order) == 0) continue;
        if (!with_zeros || exif_get_long(bytes, order) != 0) return 0;
    }
    return 1;
}

// Degrees, minutes, seconds and the letter of the hemisphere: 1 if read, 0 if there is none, -1 if it cannot be read.
static int read_angle(
    ExifData *data, unsigned tag, unsigned letter_tag, char positive, char negative, double limit, double *value) {
    ExifByteOrder order = exif_data_get_byte_order(data);
    ExifEntry *entry = entry_of(data, EXIF_IFD_GPS, (ExifTag)tag);
    char letter[CPHOTO_TEXT_SIZE];
    double degrees = 0, minutes = 0, seconds = 0;
    if (entry == NULL) return 0;
    read_text(data, EXIF_IFD_GPS, (ExifTag)letter_tag, letter);
    // Cameras without a fix write 0/0, or zeros without a letter.
    if (is_blank(entry, letter[0] == '\0' || letter[0] == ' ', order)) return 0;
    if (letter[0] >= 'a' && letter[0] <= 'z') letter[0] -= 'a' - 'A';
    if (letter[0] != positive && letter[0] != negative) return -1;
    if (!read_rational(entry, 0, order, &degrees) || !read_rational(entry, 1, order, &minutes)) return -1;
    // Two numbers are degrees and minutes with decimals; a third one that is no number makes the position unknown.
    if (entry->components > 2 && !read_rational(entry, 2, order, &seconds)) return -1;
    // 99 minutes are no minutes: the value is damaged, not a way to write 1° 39'. Sixty seconds are 59.99 rounded.
    if (!(minutes <= 60) || !(seconds <= 60)) return -1;
    double angle = degrees + minutes / 60 + seconds / 3600;
    if (!isfinite(angle) || angle > limit) return -1;
    *value = letter[0] == negative ? -angle : angle;
    return 1;
}

static void read_altitude(ExifData *data, cphoto_exif *result) {
    ExifEntry *entry = entry_of(data, EXIF_IFD_GPS, (ExifTag)EXIF_TAG_GPS_ALTITUDE);
    ExifEntry *below = entry_of(data, EXIF_IFD_GPS, (ExifTag)EXIF_TAG_GPS_ALTITUDE_REF);
    if (!read_rational(entry, 0, exif_data_get_byte_order(data), &result->altitude)) return;
    result->has_altitude = 1;
    if (below != NULL && below->data != NULL && below->size >= 1 && below->data[0] == 1)
        result->altitude = -result->altitude;
}

// GPSDateStamp and GPSTimeStamp, which are UTC, as one text such as 2026:02:06 07:15:30.
static void read_gps_time(ExifData *data, char *text) {
    ExifByteOrder order = exif_data_get_byte_order(data);
    ExifEntry *entry = entry_of(data, EXIF_IFD_GPS, (ExifTag)EXIF_TAG_GPS_TIME_STAMP);
    char date[CPHOTO_TEXT_SIZE];
    double hours = 0, minutes = 0, seconds = 0;
    read_text(data, EXIF_IFD_GPS, (ExifTag)EXIF_TAG_GPS_DATE_STAMP, date);
    date[10] = '\0';
    if (strlen(date) != 10 || !read_rational(entry, 0, order, &hours) || !read_rational(entry, 1, order, &minutes) ||
        !read_rational(entry, 2, order, &seconds))
        return;
    if (!(hours < 24) || !(minutes < 60) || !(seconds < 60)) return;
    snprintf(text, CPHOTO_TEXT_SIZE, "%s %02d:%02d:%02d", date, (int)hours, (int)minutes, (int)seconds);
}

static int read_orientation(ExifData *data) {
    ExifEntry *entry = entry_of(data, EXIF_IFD_0, EXIF_TAG_ORIENTATION);
    if (entry == NULL || entry->data == NULL || entry->size < 2) return 0;
    if (entry->format != EXIF_FORMAT_SHORT) return 0;
    int value = exif_get_short(entry->data, exif_data_get_byte_order(data));
    return value >= 1 && value <= 8 ? value : 0;
}

int cphoto_read_exif(const uint8_t *bytes, unsigned int count, cphoto_exif *result) {
    memset(result, 0, sizeof *result);
    ExifData *data = exif_data_new();
    if (data == NULL) return 0;
    // Unchanged: no entry is added, corrected or dropped to conform to the standard.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_load_data(data, bytes, count);
    result->orientation = read_orientation(data);
    double latitude = 0, longitude = 0;
    int north = read_angle(data, EXIF_TAG_GPS_LATITUDE, EXIF_TAG_GPS_LATITUDE_REF, 'N', 'S', 90, &latitude);
    int east = read_angle(data, EXIF_TAG_GPS_LONGITUDE, EXIF_TAG_GPS_LONGITUDE_REF, 'E', 'W', 180, &longitude);
    char status[CPHOTO_TEXT_SIZE];
    read_text(data, EXIF_IFD_GPS, (ExifTag)EXIF_TAG_GPS_STATUS, status);
    result->position_is_unreadable = north < 0 || east < 0 || north != east;
    // V: the receiver had no fix, and the numbers are old or none.
    result->position_is_void = status[0] == 'V' && (north != 0 || east != 0);
    // Cameras without a fix write zeros.
    result->position_is_zero = north > 0 && east > 0 && latitude == 0 && longitude == 0;
    if (north > 0 && east > 0 && !result->position_is_void && !result->position_is_zero) {
        result->has_position = 1;
        result->latitude = latitude;
        result->longitude = longitude;
    }
    read_altitude(data, result);
    read_text(data, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL, result->taken);
    // OffsetTimeOriginal (EXIF 2.31): older libexif has no name for it.
    read_text(data, EXIF_IFD_EXIF, (ExifTag)0x9011, result->offset);
    if (is_unknown_time(result->taken)) {
        // DateTimeDigitized and OffsetTimeDigitized: of a camera the same moment.
        read_text(data, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_DIGITIZED, result->taken);
        read_text(data, EXIF_IFD_EXIF, (ExifTag)0x9012, result->offset);
    }
    if (is_unknown_time(result->taken)) result->taken[0] = result->offset[0] = '\0';
    // DateTime and OffsetTime are of the last change, which of an unchanged photo is the same moment.
    read_text(data, EXIF_IFD_0, EXIF_TAG_DATE_TIME, result->changed);
    read_text(data, EXIF_IFD_EXIF, (ExifTag)0x9010, result->changed_offset);
    if (is_unknown_time(result->changed)) result->changed[0] = result->changed_offset[0] = '\0';
    if (result->offset[0] == '\0' && strcmp(result->taken, result->changed) == 0)
        memcpy(result->offset, result->changed_offset, sizeof result->offset);
    read_gps_time(data, result->gps_time);
    read_text(data, EXIF_IFD_0, EXIF_TAG_MAKE, result->make);
    read_text(data, EXIF_IFD_0, EXIF_TAG_MODEL, result->model);
    int found = 0;
    for (int ifd = 0; ifd < EXIF_IFD_COUNT; ifd++)
        if (data->ifd[ifd] != NULL && data->ifd[ifd]->count > 0) found = 1;
    exif_data_unref(data);
    return found;
}

#endif
