#define _GNU_SOURCE
#include "CLibEdit.h"

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

_Static_assert(sizeof(wchar_t) == sizeof(uint32_t), "wchar_t must hold a Unicode scalar");

/* Marks escape sequences in a prompt. */
#define LITERAL_MARK 1

struct cle_editor {
    EditLine *line;
    HistoryW *history;
    cle_callbacks callbacks;
    wchar_t *prompt;
    struct termios original;
    bool has_original;
};

static cle_editor *editor_of(EditLine *line) {
    void *data = NULL;
    el_wget(line, EL_CLIENTDATA, &data);
    return data;
}

static wchar_t *prompt_of(EditLine *line) {
    static wchar_t nothing[] = L"";
    cle_editor *editor = editor_of(line);
    return editor->prompt ? editor->prompt : nothing;
}

static int read_scalar(EditLine *line, wchar_t *scalar) {
    cle_editor *editor = editor_of(line);
    uint32_t value = 0;
    int result = editor->callbacks.read_scalar(editor->callbacks.owner, &value);
    *scalar = (wchar_t)value;
    return result;
}

static unsigned char perform(EditLine *line, int action) {
    cle_editor *editor = editor_of(line);
    switch (editor->callbacks.perform(editor->callbacks.owner, action)) {
    case CLE_RESULT_NOTHING:
        return CC_NORM;
    case CLE_RESULT_REFRESH:
        return CC_REFRESH;
    case CLE_RESULT_LEAVE:
        return CC_EOF;
    default:
        return CC_ERROR;
    }
}

/* libedit gives a bound function no data of its own, so each action needs a function. */
#define ACTION(name, action)                                                                                 \
    static unsigned char name(EditLine *line, wint_t key) {                                                  \
        (void)key;                                                                                           \
        return perform(line, action);                                                                        \
    }

ACTION(complete, CLE_ACTION_COMPLETE)
ACTION(list, CLE_ACTION_LIST)
ACTION(interrupt, CLE_ACTION_INTERRUPT)
ACTION(leave, CLE_ACTION_LEAVE)
ACTION(paste, CLE_ACTION_PASTE)
ACTION(up, CLE_ACTION_UP)
ACTION(down, CLE_ACTION_DOWN)
ACTION(previous, CLE_ACTION_PREVIOUS)
ACTION(next, CLE_ACTION_NEXT)
ACTION(suspend, CLE_ACTION_SUSPEND)
ACTION(right, CLE_ACTION_RIGHT)
ACTION(end, CLE_ACTION_END)
ACTION(delete_next, CLE_ACTION_DELETE)
ACTION(next_word, CLE_ACTION_WORD)
ACTION(edit, CLE_ACTION_EDIT)

static void add_functions(EditLine *line) {
    el_wset(line, EL_ADDFN, L"line-complete", L"Complete the word before the cursor", complete);
    el_wset(line, EL_ADDFN, L"line-list", L"List completions (second step)", list);
    el_wset(line, EL_ADDFN, L"line-interrupt", L"Drop the entry", interrupt);
    el_wset(line, EL_ADDFN, L"line-leave", L"Drop the entry (second step)", leave);
    el_wset(line, EL_ADDFN, L"line-paste", L"Insert pasted text", paste);
    el_wset(line, EL_ADDFN, L"line-up", L"A line up, or the previous entry", up);
    el_wset(line, EL_ADDFN, L"line-down", L"A line down, or the next entry", down);
    el_wset(line, EL_ADDFN, L"line-previous", L"The previous entry", previous);
    el_wset(line, EL_ADDFN, L"line-next", L"The next entry", next);
    el_wset(line, EL_ADDFN, L"line-suspend", L"Stop the process", suspend);
    el_wset(line, EL_ADDFN, L"line-right", L"A character to the right, as far as the end", right);
    el_wset(line, EL_ADDFN, L"line-end", L"The end of the entry", end);
    el_wset(line, EL_ADDFN, L"line-word", L"A word to the right, or of the suggestion", next_word);
    el_wset(line, EL_ADDFN, L"line-edit", L"Edit the entry in an editor of files", edit);
    el_wset(line, EL_ADDFN, L"line-delete", L"Delete the character at the cursor", delete_next);
}

static bool set_up(cle_editor *editor) {
    EditLine *line = editor->line;
    el_wset(line, EL_CLIENTDATA, editor);
    el_wset(line, EL_SIGNAL, 0);
    el_wset(line, EL_EDITOR, L"emacs");
    el_wset(line, EL_GETCFN, read_scalar);
    el_wset(line, EL_PROMPT_ESC, prompt_of, LITERAL_MARK);
    add_functions(line);
    /* SIGINT would not wake the editing thread: Ctrl-C has to arrive as a key. */
    el_wset(line, EL_SETTY, L"-d", L"-isig", NULL);
    HistEventW event;
    if (history_w(editor->history, &event, H_SETUNIQUE, 1) == -1)
        return false;
    el_wset(line, EL_HIST, history_w, editor->history);
    return true;
}

cle_editor *cle_editor_new(const char *program, cle_callbacks callbacks) {
    cle_editor *editor = calloc(1, sizeof *editor);
    if (!editor)
        return NULL;
    editor->callbacks = callbacks;
    editor->has_original = tcgetattr(STDIN_FILENO, &editor->original) == 0;
    editor->history = history_winit();
    editor->line = el_init(program, stdin, stdout, stderr);
    if (!editor->history || !editor->line || !set_up(editor)) {
        cle_editor_free(editor);
        return NULL;
    }
    return editor;
}

void cle_editor_free(cle_editor *editor) {
    if (!editor)
        return;
    if (editor->line) {
        /* el_end restores the terminal with TCSAFLUSH, which would discard input typed ahead for the next
           program. With editing off it does not change the terminal, and we restore it ourselves. */
        el_wset(editor->line, EL_PREP_TERM, 0);
        el_wset(editor->line, EL_EDITMODE, 0);
        el_end(editor->line);
    }
    if (editor->has_original)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &editor->original);
    if (editor->history)
        history_wend(editor->history);
    free(editor->prompt);
    free(editor);
}

bool cle_set_prompt(cle_editor *editor, const uint32_t *prompt) {
    wchar_t *copy = wcsdup((const wchar_t *)prompt);
    if (!copy)
        return false;
    free(editor->prompt);
    editor->prompt = copy;
    return true;
}

bool cle_uses_vi_keys(cle_editor *editor) {
    const wchar_t *name = NULL;
    return el_wget(editor->line, EL_EDITOR, &name) == 0 && name && wcscmp(name, L"vi") == 0;
}

bool cle_is_editing(cle_editor *editor) {
    int editing = 0;
    return el_wget(editor->line, EL_EDITMODE, &editing) == 0 && editing;
}

bool cle_moves_cursor(cle_editor *editor) {
    const char *sequence = NULL;
    return el_wget(editor->line, EL_GETTC, "up", &sequence) == 0 && sequence && *sequence;
}

bool cle_parse(cle_editor *editor, const uint32_t *line) {
    TokenizerW *tokenizer = tok_winit(NULL);
    if (!tokenizer)
        return false;
    int count = 0;
    const wchar_t **words = NULL;
    bool parsed = tok_wstr(tokenizer, (const wchar_t *)line, &count, &words) == 0 && count > 0 &&
                  el_wparse(editor->line, count, words) == 0;
    tok_wend(tokenizer);
    return parsed;
}

/* `bind` reads its key in the notation of editrc(5): a backslash keeps special characters as they are. */
bool cle_bind(cle_editor *editor, bool alternate, const uint32_t *key, const uint32_t *function) {
    wchar_t quoted[64];
    size_t length = 0;
    for (; *key && length + 3 < sizeof quoted / sizeof *quoted; key++) {
        if (*key == '\\' || *key == '^' || *key == 'M' || *key == '-')
            quoted[length++] = L'\\';
        quoted[length++] = (wchar_t)*key;
    }
    quoted[length] = 0;
    const wchar_t *name = (const wchar_t *)function;
    int result = alternate ? el_wset(editor->line, EL_BIND, L"-a", quoted, name, NULL)
                           : el_wset(editor->line, EL_BIND, quoted, name, NULL);
    return result == 0;
}

const uint32_t *cle_read_line(cle_editor *editor, int *count) {
    return (const uint32_t *)el_wgets(editor->line, count);
}

cle_line cle_current_line(cle_editor *editor) {
    const LineInfoW *info = el_wline(editor->line);
    return (cle_line){
        .text = (const uint32_t *)info->buffer,
        .count = (int)(info->lastchar - info->buffer),
        .cursor = (int)(info->cursor - info->buffer),
    };
}

bool cle_replace_line(cle_editor *editor, const uint32_t *text, int cursor) {
    cle_line line = cle_current_line(editor);
    if (*text == 0) {
        /* el_wreplacestr rejects an empty string. */
        el_cursor(editor->line, line.count - line.cursor);
        el_deletestr(editor->line, line.count);
        return true;
    }
    if (el_wreplacestr(editor->line, (const wchar_t *)text) != 0)
        return false;
    cle_move_cursor(editor, cursor);
    return true;
}

bool cle_insert(cle_editor *editor, const uint32_t *text) {
    return *text == 0 || el_winsertstr(editor->line, (const wchar_t *)text) == 0;
}

void cle_move_cursor(cle_editor *editor, int offset) {
    cle_line line = cle_current_line(editor);
    el_cursor(editor->line, offset - line.cursor);
}

void cle_push_key(cle_editor *editor, uint32_t key) {
    const wchar_t keys[2] = {(wchar_t)key, 0};
    el_wpush(editor->line, keys);
}

void cle_redraw(cle_editor *editor) {
    el_wset(editor->line, EL_REFRESH);
}

void cle_resize(cle_editor *editor) {
    el_resize(editor->line);
}

void cle_set_editing_mode(cle_editor *editor, bool editing) {
    el_wset(editor->line, EL_PREP_TERM, editing ? 1 : 0);
}

void cle_reserve(cle_editor *editor, int count) {
    wchar_t *filler = calloc((size_t)count + 1, sizeof *filler);
    if (!filler)
        return;
    wmemset(filler, L' ', (size_t)count);
    if (el_winsertstr(editor->line, filler) == 0)
        el_deletestr(editor->line, count);
    free(filler);
}

bool cle_add_history(cle_editor *editor, const uint32_t *entry) {
    HistEventW event;
    return history_w(editor->history, &event, H_ENTER, (const wchar_t *)entry) != -1;
}

void cle_limit_history(cle_editor *editor, int limit) {
    HistEventW event;
    history_w(editor->history, &event, H_SETSIZE, limit);
}

void cle_write(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}
