#ifndef CXML_H
#define CXML_H

// A push parser for XML on libxml2, behind a header of its own: libxml2's headers pull in ICU's, which clash with
// those of Foundation.

/// Whether libxml2 is installed.
int cxml_is_there(void);

typedef struct cxml_parser cxml_parser;

typedef struct {
    /// An element begins. `space` is its namespace: NULL when it has none, empty when its prefix was never declared.
    /// `attributes` holds five pointers each: name, prefix, URI, start and end of the value.
    void (*start)(void *user, const char *name, const char *space, int count, const unsigned char **attributes);
    /// A piece of text within the current element.
    void (*text)(void *user, const unsigned char *bytes, int length);
    /// The current element ends.
    void (*end)(void *user);
} cxml_handlers;

typedef enum {
    /// No error so far.
    CXML_OK,
    /// Not well-formed; see `cxml_message`.
    CXML_MALFORMED,
    /// A document type was declared; the parser has stopped.
    CXML_DOCTYPE,
} cxml_status;

/// Creates a parser that never accesses the network or other files. NULL if out of memory.
cxml_parser *cxml_create(cxml_handlers handlers, void *user);
void cxml_free(cxml_parser *parser);

/// Parses the next bytes; `last` when there are no more.
cxml_status cxml_feed(cxml_parser *parser, const char *bytes, int length, int last);

/// Makes the parser ignore all further input; may be called from a handler.
void cxml_stop(cxml_parser *parser);

/// The parser's position, counted from 1.
void cxml_position(const cxml_parser *parser, int *line, int *column);

/// The error with its location; NULL without one.
const char *cxml_message(const cxml_parser *parser, int *line, int *column);

#endif
