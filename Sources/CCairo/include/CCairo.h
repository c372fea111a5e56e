/*
 * Cairo for drawing and Pango for text layout, both loaded on first use: the functions of cairo.h, cairo-pdf.h and
 * pangocairo.h that are called. pangocairo depends on both libraries, so loading it is sufficient.
 */
#ifndef CCAIRO_H
#define CCAIRO_H

#include <CLazyLibrary.h>

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_pattern cairo_pattern_t;
typedef struct _cairo_font_options cairo_font_options_t;

typedef enum {
    CAIRO_STATUS_SUCCESS = 0,
    CAIRO_STATUS_NO_MEMORY = 1,
    CAIRO_STATUS_READ_ERROR = 10,
    CAIRO_STATUS_WRITE_ERROR = 11
} cairo_status_t;
typedef enum { CAIRO_FORMAT_ARGB32 = 0 } cairo_format_t;
typedef enum { CAIRO_FILL_RULE_EVEN_ODD = 1 } cairo_fill_rule_t;
typedef enum { CAIRO_LINE_JOIN_ROUND = 1, CAIRO_LINE_JOIN_BEVEL = 2 } cairo_line_join_t;
typedef enum { CAIRO_LINE_CAP_BUTT = 0, CAIRO_LINE_CAP_ROUND = 1 } cairo_line_cap_t;
typedef enum { CAIRO_EXTEND_PAD = 3 } cairo_extend_t;
typedef enum { CAIRO_HINT_STYLE_NONE = 1 } cairo_hint_style_t;
typedef enum { CAIRO_HINT_METRICS_OFF = 1 } cairo_hint_metrics_t;
typedef enum { CAIRO_ANTIALIAS_DEFAULT = 0, CAIRO_ANTIALIAS_GRAY = 2, CAIRO_ANTIALIAS_FAST = 4 } cairo_antialias_t;
typedef enum { CAIRO_SURFACE_TYPE_IMAGE = 0 } cairo_surface_type_t;
typedef enum {
    CAIRO_PDF_METADATA_TITLE = 0,
    CAIRO_PDF_METADATA_SUBJECT = 2,
    CAIRO_PDF_METADATA_CREATOR = 4,
    CAIRO_PDF_METADATA_CREATE_DATE = 5,
    CAIRO_PDF_METADATA_MOD_DATE = 6
} cairo_pdf_metadata_t;
#define CAIRO_MIME_TYPE_JPEG "image/jpeg"

typedef void (*cairo_destroy_func_t)(void *data);
typedef cairo_status_t (*cairo_read_func_t)(void *closure, unsigned char *data, unsigned length);
typedef cairo_status_t (*cairo_write_func_t)(void *closure, const unsigned char *data, unsigned length);

typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoLayout PangoLayout;
typedef struct {
    PangoLayout *layout;
    int start_index;
    int length;
} PangoLayoutLine;
typedef enum { PANGO_WEIGHT_NORMAL = 400, PANGO_WEIGHT_BOLD = 700 } PangoWeight;
typedef enum { PANGO_WRAP_WORD_CHAR = 2 } PangoWrapMode;
#define PANGO_SCALE 1024

/* Whether the library is installed. */
int cairo_is_there(void);

/* Hidden: the library's own calls of these functions must not resolve to the forwarders. */
#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "CCairo.calls"
#undef CALL
#pragma GCC visibility pop

#endif
