#ifndef CSOFA_H
#define CSOFA_H

/// Whether the program was built with libmysofa, and it is installed.
int csofa_is_there(void);

/// The metadata of a SOFA file.
typedef struct {
    unsigned ears;
    unsigned samples;
    unsigned measurements;
    double rate;
    /// The number of values in the file, to compare with the stated dimensions.
    unsigned responses;
    unsigned positions;
    /// The library's check of convention and dimensions; 0 if they are valid.
    int verdict;
} csofa_facts;

/// A measured head in equal steps around the listener, on a level with the ears.
typedef struct {
    /// 0, a code of libmysofa, or one of those below.
    int status;
    csofa_facts facts;
    /// Samples of a response.
    int length;
    /// For each direction, clockwise from ahead, the left then the right response; freed by csofa_free.
    float *responses;
    /// For each direction the seconds by which the left and the right response are to be delayed.
    float *delays;
} csofa_head;

/// The library crashed on the file, or took too long.
#define CSOFA_CRASHED (-100)
/// No process could be created.
#define CSOFA_SYSTEM (-101)
/// The file has an unsupported layout: see the facts.
#define CSOFA_LAYOUT (-102)

/// Reads a file in a separate process, because the library can crash on a damaged one; resampled to `rate`. The layout of
/// a file whose own rate is out of range, or whose responses are longer than `longest` samples, is unsupported.
csofa_head csofa_read(
    const char *path, float rate, int directions, double least_rate, double most_rate, unsigned longest);

/// Frees a head.
void csofa_free(csofa_head *head);

#endif
