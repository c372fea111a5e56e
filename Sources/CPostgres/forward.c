#include "CPostgres.h"

LAZY_LIBRARY(postgres, "libpq.so.5")
#define CALL LAZY_DEFINE
#include "CPostgres.calls"
