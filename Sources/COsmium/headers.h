/* Whether all headers that libosmium requires are installed. */
#if __has_include(<osmium/version.hpp>) && __has_include(<protozero/version.hpp>) && \
    __has_include(<boost/version.hpp>) && __has_include(<zlib.h>) && __has_include(<bzlib.h>) && \
    __has_include(<expat.h>)
#define COSMIUM_CAN_BUILD 1
#else
#define COSMIUM_CAN_BUILD 0
#endif
