#include "CCrypto.h"

LAZY_LIBRARY(crypto, "libcrypto.so.3")
#define CALL LAZY_DEFINE
#include "CCrypto.calls"
