/*
 * The time zone at a coordinate by KDE's locale data (KI18nLocaleData), loaded on first use. The library is written in
 * C++ and has no C header: the one function that is called is found by its mangled name.
 */
#ifndef CZONES_H
#define CZONES_H

#include <CLazyLibrary.h>

/* Whether the library is installed and has the function. */
int czones_is_there(void);

/* The identifier of the zone at a coordinate, such as Europe/Zurich; empty or NULL if unknown, as near a border. */
const char *czones_zone(float latitude, float longitude);

#endif
