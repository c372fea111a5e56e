#ifndef CHTTP_H
#define CHTTP_H

#include <stddef.h>

/// Whether libcurl was there when the program was built, and is installed.
int chttp_is_there(void);

/// How a request ended.
typedef enum {
    chttp_ok = 0,
    /// There is no libcurl.
    chttp_no_library = 1,
    /// No connection: no such host, no route, refused, a broken transfer.
    chttp_no_connection = 2,
    chttp_timeout = 3,
    /// The stop function said so.
    chttp_stopped = 4,
    /// The answer is longer than allowed.
    chttp_too_long = 5,
    /// The address is none that can be asked.
    chttp_bad_address = 6,
    /// The server's certificate is not to be trusted.
    chttp_certificate = 7,
    chttp_memory = 8
} chttp_status;

/// Anything but 0 stops the request; asked several times a second.
typedef int (*chttp_stop)(void *context);

typedef struct {
    chttp_status status;
    /// The status code of the answer, 0 without one.
    long code;
    /// Seconds after which the server wants to be asked again, 0 unless it said so.
    long retry_after;
    /// The answer; freed by chttp_free.
    char *body;
    size_t length;
    /// The library's words, cut to fit.
    char message[256];
    /// The version of the document that the answer names (its header ETag), with its quotes; empty without one.
    char etag[128];
} chttp_answer;

/// Asks for a document with GET over http or https, following a few redirections. Blocks; safe on any thread.
///
/// libcurl is loaded at the first request, so that a program that makes none does not wait for it.
chttp_answer chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context);

/// Connections to servers, which are kept open between requests. Used by one thread at a time.
typedef struct chttp_session chttp_session;

/// Makes a session; NULL without libcurl.
chttp_session *chttp_open(void);

/// Closes a session and its connections.
void chttp_close(chttp_session *session);

/// A request to an object store. Texts live as long as the call.
typedef struct {
    const char *method;
    /// With percent signs for all that is not plain: it is signed as it stands.
    const char *url;
    /// Lines of the header, after each other.
    const char *const *headers;
    size_t header_count;
    /// What is sent; NULL for nothing.
    const void *body;
    size_t length;
    /// The provider, region and service of Amazon's signature, version 4, and the keys; NULL to send it unsigned.
    const char *signature;
    const char *user;
    const char *secret;
    const char *user_agent;
    long connect_timeout_ms;
    /// Seconds without progress after which the request is given up.
    long silence_s;
    /// Bytes of the longest answer.
    size_t longest;
    chttp_stop stop;
    void *context;
} chttp_request;

/// Sends a request and waits for its answer. Redirections are not followed: a signature holds for one address.
chttp_answer chttp_send(chttp_session *session, const chttp_request *request);

/// Gives an answer back.
void chttp_free(chttp_answer *answer);

#endif
