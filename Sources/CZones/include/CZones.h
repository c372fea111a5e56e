/*
 * The zone of time at a coordinate by KDE's locale data (KI18nLocaleData), loaded when it is first used. The library is
 * of C++ and comes without a header for C: its one function that is called is known by the name that its compiler gave it.
 */
#ifndef CZONES_H
#define CZONES_H

#include <CLazyLibrary.h>

/* Whether the library is installed and has the function. */
int czones_is_there(void);

/* The identifier of the zone at a coordinate, such as Europe/Zurich; empty or NULL where it has none, as near a border. */
const char *czones_zone(float latitude, float longitude);

#endif
