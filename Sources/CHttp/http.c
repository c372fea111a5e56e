#include "CHttp.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The functions that are used, found in the library when it is loaded.
static struct {
    int is_loaded;
    CURL *(*init)(void);
    CURLcode (*setopt)(CURL *, CURLoption, ...);
    CURLcode (*perform)(CURL *);
    CURLcode (*getinfo)(CURL *, CURLINFO, ...);
    void (*cleanup)(CURL *);
    struct curl_slist *(*append)(struct curl_slist *, const char *);
    void (*free_all)(struct curl_slist *);
    const char *(*words)(CURLcode);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    CURLcode (*global_init)(long) = (CURLcode(*)(long))dlsym(library, "curl_global_init");
    curl.init = (CURL * (*)(void)) dlsym(library, "curl_easy_init");
    curl.setopt = (CURLcode(*)(CURL *, CURLoption, ...))dlsym(library, "curl_easy_setopt");
    curl.perform = (CURLcode(*)(CURL *))dlsym(library, "curl_easy_perform");
    curl.getinfo = (CURLcode(*)(CURL *, CURLINFO, ...))dlsym(library, "curl_easy_getinfo");
    curl.cleanup = (void (*)(CURL *))dlsym(library, "curl_easy_cleanup");
    curl.append = (struct curl_slist * (*)(struct curl_slist *, const char *)) dlsym(library, "curl_slist_append");
    curl.free_all = (void (*)(struct curl_slist *))dlsym(library, "curl_slist_free_all");
    curl.words = (const char *(*)(CURLcode))dlsym(library, "curl_easy_strerror");
    curl.is_loaded = global_init && curl.init && curl.setopt && curl.perform && curl.getinfo && curl.cleanup &&
                     curl.append && curl.free_all && curl.words && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

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
    pthread_once(&once, load);
    CURL *handle = curl.is_loaded ? curl.init() : NULL;
    if (!handle) {
        answer.status = chttp_no_library;
        return answer;
    }
    struct request request = {&answer, longest, stop, context, 0};
    char language[128];
    snprintf(language, sizeof language, "Accept-Language: %s", accept_language);
    struct curl_slist *headers = curl.append(NULL, "Accept: application/json");
    headers = curl.append(headers, language);
    curl.setopt(handle, CURLOPT_URL, url);
    curl.setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl.setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl.setopt(handle, CURLOPT_MAXREDIRS, 3L);
    curl.setopt(handle, CURLOPT_USERAGENT, user_agent);
    curl.setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl.setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl.setopt(handle, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl.setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl.setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl.setopt(handle, CURLOPT_WRITEDATA, &request);
    curl.setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl.setopt(handle, CURLOPT_XFERINFOFUNCTION, look);
    curl.setopt(handle, CURLOPT_XFERINFODATA, &request);
    const CURLcode code = curl.perform(handle);
    answer.status = status_of(code, &request);
    curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.code);
    curl_off_t retry_after = 0;
    if (curl.getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK) answer.retry_after = (long)retry_after;
    strncpy(answer.message, curl.words(code), sizeof answer.message - 1);
    curl.free_all(headers);
    curl.cleanup(handle);
    return answer;
}

void chttp_free(chttp_answer *answer) {
    free(answer->body);
    memset(answer, 0, sizeof *answer);
}
