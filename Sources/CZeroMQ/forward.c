#include "CZeroMQ.h"

LAZY_LIBRARY(zeromq, "libzmq.so.5")
#define CALL LAZY_DEFINE
#include "CZeroMQ.calls"
