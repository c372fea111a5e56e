#ifndef CHTTP_H
#define CHTTP_H

#include <stddef.h>

/// Whether the program was built with libcurl, and it is installed.
int chttp_is_there(void);

/// How a request ended.
typedef enum {
    chttp_ok = 0,
    /// libcurl is not installed.
    chttp_no_library = 1,
    /// No connection: unknown host, no route, refused, interrupted transfer.
    chttp_no_connection = 2,
    chttp_timeout = 3,
    /// Stopped by the stop function.
    chttp_stopped = 4,
    /// The response is longer than allowed.
    chttp_too_long = 5,
    /// The address is invalid or not supported.
    chttp_bad_address = 6,
    /// The server's certificate is not trusted.
    chttp_certificate = 7,
    chttp_memory = 8
} chttp_status;

/// A value other than 0 stops the request; called several times a second.
typedef int (*chttp_stop)(void *context);

typedef struct {
    chttp_status status;
    /// The status code of the response, 0 without one.
    long code;
    /// Seconds of the header Retry-After, 0 without it.
    long retry_after;
    /// The response; freed by chttp_free.
    char *body;
    size_t length;
    /// The library's message, truncated to fit.
    char message[256];
    /// The version of the document (the response's header ETag), with its quotes; empty without one.
    char etag[128];
} chttp_response;

/// Gets a document over http or https, following a few redirects. Blocks; safe on any thread.
///
/// libcurl is loaded with the first request, so that it costs nothing without one.
chttp_response chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context);

/// Connections to servers, which are kept open between requests. Used by one thread at a time.
typedef struct chttp_session chttp_session;

/// Creates a session; NULL without libcurl.
chttp_session *chttp_open(void);

/// Closes a session and its connections.
void chttp_close(chttp_session *session);

/// A request to an object store. Texts are valid during the call.
typedef struct {
    const char *method;
    /// Percent-encoded: it is signed unchanged.
    const char *url;
    /// Header lines, concatenated.
    const char *const *headers;
    size_t header_count;
    /// The body; NULL for none.
    const void *body;
    size_t length;
    /// The provider, region and service of Amazon's signature, version 4, and the keys; NULL to send it unsigned.
    const char *signature;
    const char *user;
    const char *secret;
    const char *user_agent;
    long connect_timeout_ms;
    /// Seconds without progress after which the request fails.
    long silence_s;
    /// Maximum bytes of the response.
    size_t longest;
    chttp_stop stop;
    void *context;
} chttp_request;

/// Sends a request and waits for its response. Redirects are not followed: a signature is valid for one address only.
chttp_response chttp_send(chttp_session *session, const chttp_request *request);

/// Frees a response.
void chttp_free(chttp_response *response);

#endif
