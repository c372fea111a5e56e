// Cairo draws, Pango lays out text: the parts of both that the painter calls.
#ifndef RUTTER_CCAIRO_H
#define RUTTER_CCAIRO_H

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#endif
