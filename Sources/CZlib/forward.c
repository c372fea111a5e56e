#include "CZlib.h"

LAZY_LIBRARY(zlib, "libz.so.1")
#define CALL LAZY_DEFINE
#include "CZlib.calls"
