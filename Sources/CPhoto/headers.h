// Whether the headers of libjpeg-turbo and libexif are installed.
#if __has_include(<jpeglib.h>) && __has_include(<libexif/exif-data.h>)
#define CPHOTO_CAN_BUILD 1
#else
#define CPHOTO_CAN_BUILD 0
#endif
