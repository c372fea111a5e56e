#define _GNU_SOURCE
#include "CLibEdit.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* ---- Locale and terminal ---- */

static bool codeset_is_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool cle_use_utf8_locale(void) {
    if (setlocale(LC_CTYPE, "") && codeset_is_utf8())
        return true;
    return setlocale(LC_CTYPE, "C.UTF-8") && codeset_is_utf8();
}

bool cle_terminal_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == -1 || size.ws_row == 0 || size.ws_col == 0)
        return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

int cle_waiting_bytes(void) {
    int count = 0;
    return ioctl(STDIN_FILENO, FIONREAD, &count) == -1 ? 0 : count;
}

int cle_columns(uint32_t scalar) {
    return wcwidth((wchar_t)scalar);
}

/* ---- Signals ---- */

/* The descriptor that each signal is written to, plus 1; 0 for none. A handler has no other context. */
static _Atomic int targets[NSIG];

static void forward(int number) {
    int kept = errno;
    int target = atomic_load(&targets[number]) - 1;
    unsigned char byte = (unsigned char)number;
    if (target >= 0 && write(target, &byte, 1) == -1) {
        /* The pipe is full: its reader has enough notifications. */
    }
    errno = kept;
}

bool cle_forward_signal(int number, int target, cle_saved_signal *saved) {
    if (number <= 0 || number >= NSIG)
        return false;
    struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    saved->number = number;
    saved->target = atomic_exchange(&targets[number], target + 1);
    if (sigaction(number, &action, &saved->action) == -1) {
        atomic_store(&targets[number], saved->target);
        return false;
    }
    return true;
}

void cle_restore_signal(const cle_saved_signal *saved) {
    sigaction(saved->number, &saved->action, NULL);
    atomic_store(&targets[saved->number], saved->target);
}

bool cle_make_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == -1)
        return false;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *reading = ends[0];
    *writing = ends[1];
    return true;
}
