#include "CHttp.h"

#include <CLazyLibrary.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<curl/curl.h>)
LAZY_LIBRARY(chttp, NULL)

chttp_response chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context) {
    (void)url, (void)user_agent, (void)accept_language, (void)timeout_ms, (void)longest, (void)stop, (void)context;
    return (chttp_response){.status = chttp_no_library};
}

chttp_session *chttp_open(void) { return NULL; }

void chttp_close(chttp_session *session) { (void)session; }

chttp_response chttp_send(chttp_session *session, const chttp_request *request) {
    (void)session, (void)request;
    return (chttp_response){.status = chttp_no_library};
}

#else

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <strings.h>

// These names are also macros for compile-time checks.
#undef curl_easy_setopt
#undef curl_easy_getinfo

LAZY_LIBRARY(chttp, "libcurl.so.4")
#define curl_global_init LAZY(curl_global_init)
#define curl_easy_init LAZY(curl_easy_init)
#define curl_easy_setopt LAZY(curl_easy_setopt)
#define curl_easy_perform LAZY(curl_easy_perform)
#define curl_easy_getinfo LAZY(curl_easy_getinfo)
#define curl_easy_cleanup LAZY(curl_easy_cleanup)
#define curl_easy_reset LAZY(curl_easy_reset)
#define curl_multi_init LAZY(curl_multi_init)
#define curl_multi_add_handle LAZY(curl_multi_add_handle)
#define curl_multi_remove_handle LAZY(curl_multi_remove_handle)
#define curl_multi_perform LAZY(curl_multi_perform)
#define curl_multi_poll LAZY(curl_multi_poll)
#define curl_multi_info_read LAZY(curl_multi_info_read)
#define curl_multi_cleanup LAZY(curl_multi_cleanup)
#define curl_easy_strerror LAZY(curl_easy_strerror)
#define curl_slist_append LAZY(curl_slist_append)
#define curl_slist_free_all LAZY(curl_slist_free_all)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_ready;

static void prepare(void) { is_ready = chttp_is_there() && curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

struct request {
    chttp_response *response;
    size_t longest;
    chttp_stop stop;
    void *context;
    int is_too_long;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    const size_t more = size * count;
    chttp_response *response = request->response;
    if (more > request->longest - response->length) {
        request->is_too_long = 1;
        return 0;
    }
    char *body = realloc(response->body, response->length + more + 1);
    if (!body) return 0;
    memcpy(body + response->length, bytes, more);
    response->body = body;
    response->length += more;
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

static int is_named(const char *line, size_t length, const char *name) {
    const size_t count = strlen(name);
    return length > count && strncasecmp(line, name, count) == 0;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct request *request = context;
    size_t length = size * count;
    static const char name[] = "etag:";
    if (is_named(bytes, length, name)) {
        const char *start = bytes + strlen(name), *end = bytes + length;
        while (start < end && (*start == ' ' || *start == '\t')) ++start;
        while (end > start && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) --end;
        char *etag = request->response->etag;
        const size_t room = sizeof request->response->etag - 1;
        // A header that does not fit is ignored: a part of it would name another version.
        const size_t taken = (size_t)(end - start) > room ? 0 : (size_t)(end - start);
        memcpy(etag, start, taken);
        etag[taken] = 0;
    }
    return length;
}

/// Sets the options of every request.
static void share(CURL *handle, const char *url, const char *user_agent, struct request *request) {
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_USERAGENT, user_agent);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, request);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, request);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, look);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, request);
}

static void conclude(CURL *handle, struct request *request, CURLcode code) {
    chttp_response *response = request->response;
    response->status = status_of(code, request);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->code);
    curl_off_t retry_after = 0;
    if (curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK) {
        response->retry_after = (long)retry_after;
    }
    strncpy(response->message, curl_easy_strerror(code), sizeof response->message - 1);
}

chttp_response chttp_get(
    const char *url, const char *user_agent, const char *accept_language, long timeout_ms, size_t longest,
    chttp_stop stop, void *context) {
    chttp_response response;
    memset(&response, 0, sizeof response);
    pthread_once(&once, prepare);
    CURL *handle = is_ready ? curl_easy_init() : NULL;
    if (!handle) {
        response.status = chttp_no_library;
        return response;
    }
    struct request request = {&response, longest, stop, context, 0};
    char language[128];
    snprintf(language, sizeof language, "Accept-Language: %s", accept_language);
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");
    headers = curl_slist_append(headers, language);
    share(handle, url, user_agent, &request);
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout_ms);
    conclude(handle, &request, curl_easy_perform(handle));
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
    return response;
}

struct chttp_session {
    CURL *handle;
    CURLM *loop;
};

// Milliseconds between two checks for a stop. The library itself checks once a second if no data arrives.
enum { slice_ms = 50 };

static CURLcode perform(chttp_session *session, struct request *request) {
    if (curl_multi_add_handle(session->loop, session->handle) != CURLM_OK) return CURLE_FAILED_INIT;
    CURLcode code = CURLE_FAILED_INIT;
    int running = 1;
    while (running) {
        if (curl_multi_perform(session->loop, &running) != CURLM_OK) break;
        if (running && request->stop && request->stop(request->context)) {
            code = CURLE_ABORTED_BY_CALLBACK;
            break;
        }
        if (running) curl_multi_poll(session->loop, NULL, 0, slice_ms, NULL);
    }
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(session->loop, &left))) {
        if (message->msg == CURLMSG_DONE) code = message->data.result;
    }
    curl_multi_remove_handle(session->loop, session->handle);
    return code;
}

chttp_session *chttp_open(void) {
    pthread_once(&once, prepare);
    chttp_session *session = is_ready ? calloc(1, sizeof *session) : NULL;
    if (!session) return NULL;
    session->handle = curl_easy_init();
    session->loop = curl_multi_init();
    if (session->handle && session->loop) return session;
    chttp_close(session);
    return NULL;
}

void chttp_close(chttp_session *session) {
    if (!session) return;
    if (session->handle) curl_easy_cleanup(session->handle);
    if (session->loop) curl_multi_cleanup(session->loop);
    free(session);
}

chttp_response chttp_send(chttp_session *session, const chttp_request *sent) {
    chttp_response response;
    memset(&response, 0, sizeof response);
    if (!session) {
        response.status = chttp_no_library;
        return response;
    }
    CURL *handle = session->handle;
    struct request request = {&response, sent->longest, sent->stop, sent->context, 0};
    struct curl_slist *headers = NULL;
    for (size_t index = 0; index < sent->header_count; ++index) headers = curl_slist_append(headers, sent->headers[index]);
    // Resets the options of the previous request; connections stay open.
    curl_easy_reset(handle);
    share(handle, sent->url, sent->user_agent, &request);
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, sent->connect_timeout_ms);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, sent->silence_s);
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    if (sent->body) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)sent->length);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, sent->body);
    }
    if (strcmp(sent->method, "HEAD") == 0) curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    else curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, sent->method);
    if (sent->signature) {
        curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, sent->signature);
        curl_easy_setopt(handle, CURLOPT_USERNAME, sent->user);
        curl_easy_setopt(handle, CURLOPT_PASSWORD, sent->secret);
    }
    conclude(handle, &request, perform(session, &request));
    curl_slist_free_all(headers);
    return response;
}

#endif

void chttp_free(chttp_response *response) {
    free(response->body);
    memset(response, 0, sizeof *response);
}
