/*
 * What libosmium, which is headers alone, calls of zlib, bzip2 and expat; these are loaded when it first does. Three
 * functions more of zlib's are those of CZlib.
 */
#include "headers.h"

#if COSMIUM_CAN_BUILD
/* Hidden: the libraries' own calls of these must stay their own. */
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
#include "leans-on.calls"
#else
LAZY_LIBRARY(cosm, NULL)
#endif
