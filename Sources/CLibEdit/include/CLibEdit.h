/*
 * A thin layer over libedit's wide-character API.
 *
 * Swift cannot call el_wset, el_wget and history_w (they are variadic), and libedit's own callbacks have no
 * user data. This shim has a fixed signature for each call and passes the owner to every callback.
 *
 * Text is passed as arrays of Unicode scalars (uint32_t), which is the representation of wchar_t on Linux.
 * All functions except the signal functions must be called on the thread that owns the editor.
 */
#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Editor ---- */

typedef struct cle_editor cle_editor;

/* The actions that a bound key can request of the owner. The names for binding keys are in editor.c. */
enum {
    CLE_ACTION_COMPLETE = 0,
    CLE_ACTION_LIST,
    CLE_ACTION_INTERRUPT,
    CLE_ACTION_LEAVE,
    CLE_ACTION_PASTE,
    CLE_ACTION_UP,
    CLE_ACTION_DOWN,
    CLE_ACTION_PREVIOUS,
    CLE_ACTION_NEXT,
    CLE_ACTION_SUSPEND,
    CLE_ACTION_RIGHT,
    CLE_ACTION_END,
    CLE_ACTION_DELETE,
    CLE_ACTION_WORD,
    CLE_ACTION_EDIT,
};

/* The editor's reaction to an action. */
enum {
    CLE_RESULT_NOTHING = 0, /* the screen is up to date */
    CLE_RESULT_REFRESH,     /* the text or the cursor changed */
    CLE_RESULT_BEEP,        /* the action was not possible */
    CLE_RESULT_LEAVE,       /* stop editing this line */
};

typedef struct cle_callbacks {
    void *owner;
    /* Stores the next scalar and returns 1; 0 at the end of the input, -1 after an error. */
    int (*read_scalar)(void *owner, uint32_t *scalar);
    /* Performs a CLE_ACTION and returns a CLE_RESULT. */
    int (*perform)(void *owner, int action);
} cle_callbacks;

/* An editor on standard input and output, or NULL. Starts with emacs keys, `isig` off while editing. */
cle_editor *cle_editor_new(const char *program, cle_callbacks callbacks);

/* Frees the editor. Restores the terminal without discarding input typed ahead. */
void cle_editor_free(cle_editor *editor);

/* Sets the prompt (ending in 0). Text between two scalars 1 is an escape sequence of zero width. */
bool cle_set_prompt(cle_editor *editor, const uint32_t *prompt);

/* Whether vi keys are active, and whether editing is on at all (`edit off` or TERM=emacs turn it off). */
bool cle_uses_vi_keys(cle_editor *editor);
bool cle_is_editing(cle_editor *editor);

/* Whether the terminal can move its cursor up: if not, it supports no escape sequences at all. */
bool cle_moves_cursor(cle_editor *editor);

/* Binds a key (raw scalars ending in 0) to a function by name; `alternate` is vi's command mode. */
bool cle_bind(cle_editor *editor, bool alternate, const uint32_t *key, const uint32_t *function);

/* Executes one line (ending in 0) of an editrc(5) file. */
bool cle_parse(cle_editor *editor, const uint32_t *line);

/* Reads a line. Returns its scalars with their count, or NULL if editing ended without a line. */
const uint32_t *cle_read_line(cle_editor *editor, int *count);

/* ---- Inside a callback ---- */

typedef struct cle_line {
    const uint32_t *text;
    int count;
    int cursor;
} cle_line;

cle_line cle_current_line(cle_editor *editor);

/* Replaces the whole line (`text` ends in 0) and puts the cursor at an offset. */
bool cle_replace_line(cle_editor *editor, const uint32_t *text, int cursor);

/* Inserts text (ending in 0) at the cursor. */
bool cle_insert(cle_editor *editor, const uint32_t *text);

void cle_move_cursor(cle_editor *editor, int offset);

/* Queues a key before all typed input. */
void cle_push_key(cle_editor *editor, uint32_t key);

/* Redraws prompt and line; the prompt begins at the terminal's cursor. */
void cle_redraw(cle_editor *editor);

/* Adopts the terminal's current size. */
void cle_resize(cle_editor *editor);

/* Puts the terminal in editing mode (true) or in normal mode (false). */
void cle_set_editing_mode(cle_editor *editor, bool editing);

/* Reserves space for lines of `count` scalars, so that libedit need not move its buffer while it searches. */
void cle_reserve(cle_editor *editor, int count);

/* Adds an entry (ending in 0) to the history that libedit searches. */
bool cle_add_history(cle_editor *editor, const uint32_t *entry);

/* Removes all but the newest `limit` entries. */
void cle_limit_history(cle_editor *editor, int limit);

/* ---- Terminal ---- */

/* Sets LC_CTYPE to a UTF-8 locale: the environment's if it is one, else C.UTF-8. */
bool cle_use_utf8_locale(void);

/* The terminal's size; false without a terminal. */
bool cle_terminal_size(int *rows, int *columns);

/* The number of pending bytes on standard input. */
int cle_waiting_bytes(void);

/* The columns of a scalar on the screen, -1 for nonprinting ones. Requires the UTF-8 locale. */
int cle_columns(uint32_t scalar);

/* Writes text (UTF-8) to standard output, in order with what libedit writes. */
void cle_write(const char *text);

/* ---- Signals ---- */

typedef struct cle_saved_signal {
    int number;
    int target;
    struct sigaction action;
} cle_saved_signal;

/* Makes each signal `number` write its number as one byte to `target`, a non-blocking descriptor. */
bool cle_forward_signal(int number, int target, cle_saved_signal *saved);

/* Restores the previous action. */
void cle_restore_signal(const cle_saved_signal *saved);

/* Creates a close-on-exec pipe whose writing end never blocks. */
bool cle_make_pipe(int *reading, int *writing);

#endif
