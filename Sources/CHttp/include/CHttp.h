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
} chttp_answer;

/// Asks for a document with GET over http or https, following a few redirections. Blocks; safe on any thread.
///
/// libcurl is loaded at the first request, so that a program that makes none does not wait for it.
chttp_answer chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context);

/// Gives an answer back.
void chttp_free(chttp_answer *answer);

#endif
