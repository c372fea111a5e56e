#include "CSofa.h"

#include <CLazyLibrary.h>

#if !__has_include(<mysofa.h>)
LAZY_LIBRARY(csofa, NULL)

csofa_head csofa_read(
    const char *path, float rate, int directions, double least_rate, double most_rate, unsigned longest) {
    (void)path, (void)rate, (void)directions, (void)least_rate, (void)most_rate, (void)longest;
    return (csofa_head){.status = CSOFA_SYSTEM};
}

void csofa_free(csofa_head *head) { (void)head; }

#else

#include <CLazyProcess.h>
#include <math.h>
#include <mysofa.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

LAZY_LIBRARY(csofa, "libmysofa.so.1")
#define mysofa_check LAZY(mysofa_check)
#define mysofa_free LAZY(mysofa_free)
#define mysofa_getfilter_float LAZY(mysofa_getfilter_float)
#define mysofa_load LAZY(mysofa_load)
#define mysofa_open LAZY(mysofa_open)

/// Seconds of processor time that reading may take; the largest known files take two.
static const rlim_t longest_time = 30;
/// Samples that a resampled response can have.
static const int longest_length = 1 << 20;

/// What the child reports first.
struct report {
    int status;
    int length;
    csofa_facts facts;
};

static int look(const char *path, struct report *report, double least_rate, double most_rate, unsigned longest) {
    struct MYSOFA_HRTF *hrtf = mysofa_load(path, &report->status);
    if (!hrtf) {
        if (report->status == 0) report->status = MYSOFA_INVALID_FORMAT;
        return 0;
    }
    csofa_facts *facts = &report->facts;
    facts->ears = hrtf->R;
    facts->samples = hrtf->N;
    facts->measurements = hrtf->M;
    facts->rate = hrtf->DataSamplingRate.elements > 0 && hrtf->DataSamplingRate.values
                      ? hrtf->DataSamplingRate.values[0]
                      : 0;
    facts->responses = hrtf->DataIR.elements;
    facts->positions = hrtf->SourcePosition.elements;
    const unsigned long long needed = 2ULL * hrtf->M * hrtf->N;
    const int fits = facts->ears == 2 && facts->samples > 0 && facts->samples <= longest && facts->measurements > 0 &&
                     facts->rate >= least_rate && facts->rate <= most_rate && facts->responses >= needed &&
                     facts->positions >= 3ULL * hrtf->M;
    facts->verdict = fits ? mysofa_check(hrtf) : 0;
    mysofa_free(hrtf);
    report->status = fits && facts->verdict == 0 ? 0 : CSOFA_LAYOUT;
    return report->status == 0;
}

/// Runs in the child: all results go through the pipe, and there are no other side effects.
static void send_head(
    int file, const char *path, float rate, int directions, double least_rate, double most_rate, unsigned longest) {
    struct report report;
    memset(&report, 0, sizeof report);
    struct MYSOFA_EASY *easy = NULL;
    if (look(path, &report, least_rate, most_rate, longest)) {
        easy = mysofa_open(path, rate, &report.length, &report.status);
        if (!easy || report.length <= 0 || report.length > longest_length) {
            if (report.status == 0) report.status = MYSOFA_INVALID_FORMAT;
            easy = NULL;
        }
    }
    if (!write_all(file, &report, sizeof report) || !easy) return;
    const size_t count = (size_t)report.length;
    float *ears = calloc(2 * count, sizeof *ears);
    if (!ears) return;
    for (int direction = 0; direction < directions; ++direction) {
        const double angle = 2 * M_PI * direction / directions;
        float delays[2] = {0, 0};
        // SOFA: x ahead, y to the left, z up.
        mysofa_getfilter_float(
            easy, (float)cos(angle), (float)-sin(angle), 0, ears, ears + count, &delays[0], &delays[1]);
        if (!write_all(file, delays, sizeof delays) || !write_all(file, ears, 2 * count * sizeof *ears)) return;
    }
}

static void take(int file, int directions, csofa_head *head) {
    struct report report;
    if (!read_all(file, &report, sizeof report)) {
        head->status = CSOFA_CRASHED;
        return;
    }
    head->status = report.status;
    head->facts = report.facts;
    head->length = report.length;
    if (report.status != 0) return;
    const size_t count = 2 * (size_t)report.length;
    head->responses = calloc(count * (size_t)directions, sizeof *head->responses);
    head->delays = calloc(2 * (size_t)directions, sizeof *head->delays);
    if (!head->responses || !head->delays) {
        head->status = MYSOFA_NO_MEMORY;
        return;
    }
    for (int direction = 0; direction < directions; ++direction) {
        if (!read_all(file, head->delays + 2 * direction, 2 * sizeof *head->delays) ||
            !read_all(file, head->responses + count * (size_t)direction, count * sizeof *head->responses)) {
            head->status = CSOFA_CRASHED;
            return;
        }
    }
}

csofa_head csofa_read(
    const char *path, float rate, int directions, double least_rate, double most_rate, unsigned longest) {
    csofa_head head;
    memset(&head, 0, sizeof head);
    int file = -1;
    const pid_t child = begin_isolated(&file, longest_time);
    if (child == 0) {
        send_head(file, path, rate, directions, least_rate, most_rate, longest);
        _exit(0);
    }
    if (child < 0) {
        head.status = CSOFA_SYSTEM;
        return head;
    }
    take(file, directions, &head);
    end_isolated(child, file);
    if (head.status != 0) csofa_free(&head);
    return head;
}

void csofa_free(csofa_head *head) {
    free(head->responses);
    free(head->delays);
    head->responses = NULL;
    head->delays = NULL;
}

#endif
