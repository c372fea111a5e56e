#include "CArchive.h"

LAZY_LIBRARY(archive, "libarchive.so.13")
#define CALL LAZY_DEFINE
#include "CArchive.calls"
