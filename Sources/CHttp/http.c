#include "CHttp.h"

#include <CLazyLibrary.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<curl/curl.h>)
LAZY_LIBRARY(chttp, NULL)

chttp_answer chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context) {
    (void)url, (void)user_agent, (void)accept_language, (void)timeout_ms, (void)longest, (void)stop, (void)context;
    return (chttp_answer){.status = chttp_no_library};
}

#else

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>

// Macros of the compiler's own checks stand before these names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

LAZY_LIBRARY(chttp, "libcurl.so.4")
#define curl_global_init LAZY(curl_global_init)
#define curl_easy_init LAZY(curl_easy_init)
#define curl_easy_setopt LAZY(curl_easy_setopt)
#define curl_easy_perform LAZY(curl_easy_perform)
#define curl_easy_getinfo LAZY(curl_easy_getinfo)
#define curl_easy_cleanup LAZY(curl_easy_cleanup)
#define curl_easy_strerror LAZY(curl_easy_strerror)
#define curl_slist_append LAZY(curl_slist_append)
#define curl_slist_free_all LAZY(curl_slist_free_all)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready;

static void prepare(void) { is_ready = chttp_is_there() && curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

struct request {
    chttp_answer *answer;
    size_t longest;
    chttp_stop stop;
    void *context;
    int is_too_long;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    const size_t more = size * count;
    chttp_answer *answer = request->answer;
    if (more > request->longest - answer->length) {
        request->is_too_long = 1;
        return 0;
    }
    char *body = realloc(answer->body, answer->length + more + 1);
    if (!body) return 0;
    memcpy(body + answer->length, bytes, more);
    answer->body = body;
    answer->length += more;
    return more;
}

static int look(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    const struct request *request = context;
    return request->stop ? request->stop(request->context) : 0;
}

static chttp_status status_of(CURLcode code, const struct request *request) {
    switch (code) {
    case CURLE_OK: return chttp_ok;
    case CURLE_OPERATION_TIMEDOUT: return chttp_timeout;
    case CURLE_ABORTED_BY_CALLBACK: return chttp_stopped;
    case CURLE_WRITE_ERROR: return request->is_too_long ? chttp_too_long : chttp_memory;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return chttp_bad_address;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM: return chttp_certificate;
    case CURLE_OUT_OF_MEMORY: return chttp_memory;
    default: return chttp_no_connection;
    }
}

chttp_answer chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context) {
    chttp_answer answer;
    memset(&answer, 0, sizeof answer);
    pthread_once(&once, prepare);
    CURL *handle = is_ready ? curl_easy_init() : NULL;
    if (!handle) {
        answer.status = chttp_no_library;
        return answer;
    }
    struct request request = {&answer, longest, stop, context, 0};
    char language[128];
    snprintf(language, sizeof language, "Accept-Language: %s", accept_language);
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");
    headers = curl_slist_append(headers, language);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, user_agent);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &request);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, look);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &request);
    const CURLcode code = curl_easy_perform(handle);
    answer.status = status_of(code, &request);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.code);
    curl_off_t retry_after = 0;
    if (curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK) answer.retry_after = (long)retry_after;
    strncpy(answer.message, curl_easy_strerror(code), sizeof answer.message - 1);
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
    return answer;
}

#endif

void chttp_free(chttp_answer *answer) {
    free(answer->body);
    memset(answer, 0, sizeof *answer);
}
