#include "CXml.h"
#include "libxml2.h"

LAZY_LIBRARY(cxml, "libxml2.so.2")
#define CALL LAZY_DEFINE
#include "libxml2.calls"
