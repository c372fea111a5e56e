/*
 * The functions of zlib, bzip2 and expat that libosmium, a header-only library, calls; loaded on first use. Three
 * further functions of zlib are in CZlib.
 */
#include "headers.h"

#if COSMIUM_CAN_BUILD
/* Hidden: the libraries' own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#include <stdio.h>

#include <bzlib.h>
#include <expat.h>
#include <zlib.h>
#pragma GCC visibility pop
#endif

#include <CLazyLibrary.h>

#include "COsmium.h"

#if COSMIUM_CAN_BUILD
LAZY_LIBRARY(cosm, "libz.so.1", "libbz2.so.1.0", "libexpat.so.1")
#define CALL LAZY_DEFINE
#include "dependencies.calls"
#else
LAZY_LIBRARY(cosm, NULL)
#endif
