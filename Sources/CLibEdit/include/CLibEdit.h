/*
 * A thin layer over libedit's wide-character API.
 *
 * Swift cannot call el_wset, el_wget and history_w (they are variadic), and libedit's own callbacks carry no
 * user data. This shim gives each call a fixed signature and hands every callback the owner it belongs to.
 *
 * Text crosses as arrays of Unicode scalars (uint32_t): on Linux that is exactly what wchar_t holds.
 * Everything here but the signal functions must be called on the one thread that owns the editor.
 */
#ifndef CLIBEDIT_H
#define CLIBEDIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Editor ---- */

typedef struct cle_editor cle_editor;

/* What a bound key may ask its owner to do. The names under which keys are bound stand in editor.c. */
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
};

/* What the editor is to do after an action. */
enum {
    CLE_RESULT_NOTHING = 0, /* the screen is right already */
    CLE_RESULT_REFRESH,     /* the text or the cursor changed */
    CLE_RESULT_BEEP,        /* nothing could be done */
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

/* Frees the editor. Restores the terminal without throwing away what has been typed ahead. */
void cle_editor_free(cle_editor *editor);

/* Sets the prompt (ending in 0). Text between two scalars 1 is an escape sequence of no width. */
bool cle_set_prompt(cle_editor *editor, const uint32_t *prompt);

/* Whether vi keys are in force, and whether editing is on at all (`edit off` or TERM=emacs turn it off). */
bool cle_uses_vi_keys(cle_editor *editor);
bool cle_is_editing(cle_editor *editor);

/* Whether the terminal can move its cursor up: one that cannot understands no escape sequences at all. */
bool cle_moves_cursor(cle_editor *editor);

/* Binds a key (raw scalars ending in 0) to a function by name; `alternate` is vi's command mode. */
bool cle_bind(cle_editor *editor, bool alternate, const uint32_t *key, const uint32_t *function);

/* Carries out one line (ending in 0) of an editrc(5) file. */
bool cle_parse(cle_editor *editor, const uint32_t *line);

/* Reads a line. Returns its scalars with their count, or NULL when editing was left without a line. */
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

/* Makes a key come next, before anything typed. */
void cle_push_key(cle_editor *editor, uint32_t key);

/* Draws prompt and line anew, taking the terminal's cursor as the place where the prompt begins. */
void cle_redraw(cle_editor *editor);

/* Takes over the terminal's present size. */
void cle_resize(cle_editor *editor);

/* Puts the terminal in editing mode (true) or in normal mode (false). */
void cle_set_editing_mode(cle_editor *editor, bool editing);

/* Makes room for lines of `count` scalars, so that libedit need not move its buffer while it searches. */
void cle_reserve(cle_editor *editor, int count);

/* Adds an entry (ending in 0) to the history that libedit searches. */
bool cle_add_history(cle_editor *editor, const uint32_t *entry);

/* Forgets all but the newest `limit` entries. */
void cle_limit_history(cle_editor *editor, int limit);

/* ---- Terminal ---- */

/* Makes LC_CTYPE a UTF-8 locale: the environment's if it is one, else C.UTF-8. */
bool cle_use_utf8_locale(void);

/* The terminal's size, or false where there is none to ask. */
bool cle_terminal_size(int *rows, int *columns);

/* How many bytes wait on standard input. */
int cle_waiting_bytes(void);

/* The columns that a scalar takes on the screen, -1 if it does not print. Needs the UTF-8 locale. */
int cle_columns(uint32_t scalar);

/* Writes text (UTF-8) to standard output, in order with what libedit writes. */
void cle_write(const char *text);

/* ---- Signals ---- */

typedef struct cle_saved_signal {
    int number;
    int target;
    struct sigaction action;
} cle_saved_signal;

/* From now on each `number` signal writes its number as one byte to `target`, a non-blocking descriptor. */
bool cle_forward_signal(int number, int target, cle_saved_signal *saved);

/* Puts back what was in force before. */
void cle_restore_signal(const cle_saved_signal *saved);

/* A pipe that is closed on exec and whose writing end never blocks. */
bool cle_make_pipe(int *reading, int *writing);

#endif
