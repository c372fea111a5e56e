/* cmark-gfm, loaded on first use: the called functions of cmark-gfm.h and cmark-gfm-core-extensions.h. */
#ifndef CMARKDOWN_H
#define CMARKDOWN_H

#include <CLazyLibrary.h>

/* Whether the library is installed. */
int cmarkdown_is_there(void);

#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CMarkdown.calls"
#undef CALL
#pragma GCC visibility pop

#endif
