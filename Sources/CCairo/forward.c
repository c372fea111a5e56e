#include "CCairo.h"

LAZY_LIBRARY(cairo, "libpangocairo-1.0.so.0")
#define CALL LAZY_DEFINE
#include "CCairo.calls"
