#include "headers.h"

#if CPHOTO_CAN_BUILD

#include "errors.h"

#include <string.h>

#include <jerror.h>

static cphoto_status status_of(int code) {
    switch (code) {
    case JERR_NO_SOI:
        return CPHOTO_NOT_AN_IMAGE;
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
    case JWRN_JPEG_EOF:
        return CPHOTO_TRUNCATED;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
        return CPHOTO_UNSUPPORTED;
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
    case JERR_WIDTH_OVERFLOW:
        return CPHOTO_OUT_OF_MEMORY;
    default:
        return CPHOTO_CORRUPT;
    }
}

static void escape(j_common_ptr info) {
    guard *self = (guard *)info->err;
    self->status = status_of(info->err->msg_code);
    (*info->err->format_message)(info, self->problem->message);
    longjmp(self->escape, 1);
}

// Extra bytes between two segments and an unusual colour marker are harmless. After any other warning,
// part of the picture is not from the file.
static int is_harmless(int code) {
    return code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_TOO_MUCH_DATA ||
           code == JWRN_JFIF_MAJOR || code == JWRN_BOGUS_ICC;
}

static void on_message(j_common_ptr info, int level) {
    if (level < 0 && !is_harmless(info->err->msg_code)) escape(info);
}

static void stay_silent(j_common_ptr info) { (void)info; }

struct jpeg_error_mgr *guard_init(guard *self, cphoto_problem *problem) {
    jpeg_std_error(&self->manager);
    self->manager.error_exit = escape;
    self->manager.emit_message = on_message;
    self->manager.output_message = stay_silent;
    self->status = CPHOTO_OK;
    self->problem = problem;
    problem->message[0] = '\0';
    return &self->manager;
}

void guard_fail(j_common_ptr info, cphoto_status status, const char *message) {
    guard *self = (guard *)info->err;
    self->status = status;
    snprintf(self->problem->message, CPHOTO_MESSAGE_SIZE, "%s", message);
    longjmp(self->escape, 1);
}

#endif
