#include "CMarkdown.h"

LAZY_LIBRARY(cmarkdown, "libcmark-gfm.so.0.29.0.gfm.6", "libcmark-gfm-extensions.so.0.29.0.gfm.6")
#define CALL LAZY_DEFINE
#include "CMarkdown.calls"
