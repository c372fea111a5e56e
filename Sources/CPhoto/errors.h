// The error manager shared by decoder and encoder.
#ifndef RUTTER_CPHOTO_ERRORS_H
#define RUTTER_CPHOTO_ERRORS_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CPhoto.h"

typedef struct guard {
    struct jpeg_error_mgr manager;  // must be first, so that a pointer to it is a pointer to the guard
    jmp_buf escape;
    cphoto_status status;
    cphoto_problem *problem;
} guard;

struct jpeg_error_mgr *guard_init(guard *guard, cphoto_problem *problem);
void guard_fail(j_common_ptr info, cphoto_status status, const char *message);

#endif
