/* libdeflate, loaded when it is first used: what we call of libdeflate.h. */
#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <CLazyLibrary.h>

/* Whether the library is installed. */
int cdeflate_is_there(void);

#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CDeflate.calls"
#undef CALL
#pragma GCC visibility pop

#endif
