#ifndef CSOFA_H
#define CSOFA_H

/// Whether libmysofa was there when the program was built, and is installed.
int csofa_is_there(void);

/// What a SOFA file says of itself.
typedef struct {
    unsigned ears;
    unsigned samples;
    unsigned measurements;
    double rate;
    /// Values in the file, to be compared with what it announces.
    unsigned responses;
    unsigned positions;
    /// What the library says of its convention and dimensions; 0 when it is as it should be.
    int verdict;
} csofa_facts;

/// A measured head in equal steps around the listener, on a level with the ears.
typedef struct {
    /// 0, a code of libmysofa, or one of the below.
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
/// No process could be made.
#define CSOFA_SYSTEM (-101)
/// The file is of another layout: see the facts.
#define CSOFA_LAYOUT (-102)

/// Reads a file in a process of its own, because the library can crash on a damaged one; resampled to `rate`. A file
/// whose own rate is out of range, or whose responses are longer than `longest` samples, is of another layout.
csofa_head csofa_read(
    const char *path, float rate, int directions, double least_rate, double most_rate, unsigned longest);

/// Gives a head back.
void csofa_free(csofa_head *head);

#endif
