/* libxml2, loaded on first use: the used functions and fields of libxml/parser.h, in the layout of libxml2.so.2. */
#include <CLazyLibrary.h>

#define XML_SAX2_MAGIC 0xDEEDBEAF
#define XML_PARSE_NONET (1 << 11)
#define XML_ERR_ERROR 2
#define XML_FROM_NAMESPACE 3

typedef unsigned char xmlChar;
typedef struct xmlDoc *xmlDocPtr;

typedef struct {
    int domain;
    int code;
    char *message;
    int level;
    char *file;
    int line;
    char *texts[3];
    int int1;
    int int2;
    void *ctxt;
    void *node;
} xmlError;
typedef void (*xmlStructuredErrorFunc)(void *data, const xmlError *error);

typedef struct {
    void (*internalSubset)(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system);
    void *others[16];
    void (*characters)(void *data, const xmlChar *bytes, int length);
    void *more[7];
    void (*cdataBlock)(void *data, const xmlChar *bytes, int length);
    void *externalSubset;
    unsigned int initialized;
    void *own;
    void (*startElementNs)(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                           const xmlChar **namespace_list, int count, int defaulted, const xmlChar **attributes);
    void (*endElementNs)(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri);
    xmlStructuredErrorFunc serror;
} xmlSAXHandler;

typedef struct {
    void *buf;
    const char *filename;
    const char *directory;
    const xmlChar *bytes[3];
    int length;
    int line;
    int col;
} xmlParserInput;

typedef struct {
    void *sax;
    void *userData;
    xmlDocPtr myDoc;
    int wellFormed;
    int replaceEntities;
    const xmlChar *version;
    const xmlChar *encoding;
    int standalone;
    int html;
    xmlParserInput *input;
} *xmlParserCtxtPtr;

#pragma GCC visibility push(hidden)
#define CALL LAZY_DECLARE
#include "libxml2.calls"
#undef CALL
#pragma GCC visibility pop
