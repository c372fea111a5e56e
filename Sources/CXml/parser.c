#include "CXml.h"

#include <stdlib.h>
#include <string.h>

#include "libxml2.h"

struct cxml_parser {
    xmlParserCtxtPtr context;
    cxml_handlers handlers;
    void *user;
    int has_doctype;
    int is_stopped;
};

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **namespace_list, int count, int defaulted, const xmlChar **attributes) {
    cxml_parser *parser = data;
    (void)namespaces, (void)namespace_list, (void)defaulted;
    if (parser->is_stopped) return;
    // libxml2 has no URI for an undeclared prefix: such an element is in no known namespace.
    const char *space = uri ? (const char *)uri : prefix ? "" : NULL;
    parser->handlers.start(parser->user, (const char *)name, space, count, attributes);
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    cxml_parser *parser = data;
    (void)name, (void)prefix, (void)uri;
    if (!parser->is_stopped) parser->handlers.end(parser->user);
}

static void on_text(void *data, const xmlChar *bytes, int length) {
    cxml_parser *parser = data;
    if (!parser->is_stopped) parser->handlers.text(parser->user, bytes, length);
}

// Entities can only be declared in a document type: without one there is nothing to expand.
static void on_doctype(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    cxml_parser *parser = data;
    (void)name, (void)external, (void)system;
    parser->has_doctype = 1;
    cxml_stop(parser);
}

// Errors are read from the context; nothing may be printed.
static void on_error(void *data, const xmlError *error) { (void)data, (void)error; }

cxml_parser *cxml_create(cxml_handlers handlers, void *user) {
    cxml_parser *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    parser->handlers = handlers;
    parser->user = user;
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = on_start;
    sax.endElementNs = on_end;
    sax.characters = on_text;
    sax.cdataBlock = on_text;
    sax.internalSubset = on_doctype;
    sax.serror = (xmlStructuredErrorFunc)on_error;
    parser->context = xmlCreatePushParserCtxt(&sax, parser, NULL, 0, NULL);
    if (!parser->context) {
        free(parser);
        return NULL;
    }
    xmlCtxtUseOptions(parser->context, XML_PARSE_NONET);
    return parser;
}

void cxml_free(cxml_parser *parser) {
    if (!parser) return;
    if (parser->context->myDoc) xmlFreeDoc(parser->context->myDoc);
    xmlFreeParserCtxt(parser->context);
    free(parser);
}

cxml_status cxml_feed(cxml_parser *parser, const char *bytes, int length, int last) {
    int status = xmlParseChunk(parser->context, bytes, length, last);
    if (parser->has_doctype) return CXML_DOCTYPE;
    if (parser->is_stopped || status == 0) return CXML_OK;
    return cxml_message(parser, NULL, NULL) ? CXML_MALFORMED : CXML_OK;
}

void cxml_stop(cxml_parser *parser) {
    parser->is_stopped = 1;
    xmlStopParser(parser->context);
}

void cxml_position(const cxml_parser *parser, int *line, int *column) {
    *line = parser->context->input ? parser->context->input->line : 1;
    *column = parser->context->input ? parser->context->input->col : 1;
}

const char *cxml_message(const cxml_parser *parser, int *line, int *column) {
    const xmlError *error = xmlCtxtGetLastError(parser->context);
    if (!error || error->level < XML_ERR_ERROR) return NULL;
    // Undeclared prefixes are common in recordings, and harmless.
    if (error->domain == XML_FROM_NAMESPACE && parser->context->wellFormed) return NULL;
    if (line) *line = error->line;
    if (column) *column = error->int2;
    return error->message ? error->message : "unknown error";
}
