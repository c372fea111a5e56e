#include "CDeflate.h"

LAZY_LIBRARY(cdeflate, "libdeflate.so.0")
#define CALL LAZY_DEFINE
#include "CDeflate.calls"
