/* libdeflate, loaded on first use: the functions of libdeflate.h that are called. */
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
