#include "CZones.h"

LAZY_LIBRARY(czones_file, "libKF5I18nLocaleData.so.5")

/* KTimeZone::fromLocation(float, float). */
#define FROM_LOCATION "_ZN9KTimeZone12fromLocationEff"

static const char *(*from_location(void))(float, float) {
    static const char *(*known)(float, float);
    const char *(*call)(float, float) = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!call) {
        call = (const char *(*)(float, float))lazy_function(&library, FROM_LOCATION);
        __atomic_store_n(&known, call, __ATOMIC_RELAXED);
    }
    return call;
}

int czones_is_there(void) { return czones_file_is_there() && from_location() != NULL; }

const char *czones_zone(float latitude, float longitude) {
    const char *(*call)(float, float) = from_location();
    return call ? call(latitude, longitude) : NULL;
}
