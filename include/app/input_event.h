/* SPDX-License-Identifier: Apache-2.0 */
/* What a person did at the terminal, free of curses codes and escape sequences: the terminal layer
 * makes these, update consumes them, scripts and settings name them ("Ctrl-S", "Enter", "g").
 * Invariant: text is valid UTF-8 without control bytes, except '\n' inside a burst or a paste. */
#ifndef APP_INPUT_EVENT_H
#define APP_INPUT_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#define INPUT_PASTE_MAX 65536 /* bytes kept of one paste; what is beyond is counted as cut */

/* Symbolic keys: X(NAME, name as people read and write it). */
#define INPUT_KEY_ROWS(X)                                                                          \
    X(ENTER, "Enter")                                                                              \
    X(ESC, "Esc")                                                                                  \
    X(TAB, "Tab")                                                                                  \
    X(BACKSPACE, "Backspace")                                                                      \
    X(DELETE, "Delete")                                                                            \
    X(INSERT, "Insert")                                                                            \
    X(UP, "Up")                                                                                    \
    X(DOWN, "Down")                                                                                \
    X(LEFT, "Left")                                                                                \
    X(RIGHT, "Right")                                                                              \
    X(HOME, "Home")                                                                                \
    X(END, "End")                                                                                  \
    X(PAGE_UP, "PgUp")                                                                             \
    X(PAGE_DOWN, "PgDn")                                                                           \
    X(F1, "F1")                                                                                    \
    X(F2, "F2")                                                                                    \
    X(F3, "F3")                                                                                    \
    X(F4, "F4")                                                                                    \
    X(F5, "F5")                                                                                    \
    X(F6, "F6")                                                                                    \
    X(F7, "F7")                                                                                    \
    X(F8, "F8")                                                                                    \
    X(F9, "F9")                                                                                    \
    X(F10, "F10")                                                                                  \
    X(F11, "F11")                                                                                  \
    X(F12, "F12")

enum input_key {
    INPUT_KEY_NONE, /* not a key event, or one that has no name here: ignored by all */
    INPUT_KEY_CHAR, /* a letter, digit or sign with Ctrl or Alt; the character is in text */
#define X(NAME, words) INPUT_KEY_##NAME,
    INPUT_KEY_ROWS(X)
#undef X
        INPUT_KEY_COUNT
};

enum input_mods { INPUT_SHIFT = 1u << 0, INPUT_ALT = 1u << 1, INPUT_CTRL = 1u << 2 };

enum input_kind {
    INPUT_KEY,   /* key and mods; Shift-Tab is TAB with INPUT_SHIFT; Ctrl-S is CHAR "s" */
    INPUT_TEXT,  /* one code point as typed, in text; "\n" only when burst */
    INPUT_PASTE, /* a bracketed paste, whole, in paste */
    INPUT_FOCUS_IN,
    INPUT_FOCUS_OUT,
    INPUT_RESIZE, /* width_cells x height_cells is the new size */
    INPUT_EOF,    /* the terminal is gone; nothing follows */
};

struct input_event {
    enum input_kind kind;
    enum input_key key;
    unsigned mods;
    char text[8]; /* NUL-terminated */
    /* TEXT only. Part of a run of text and line ends that came faster than fingers: each within
     * INPUT_RUN_MS of the one before (those read at one go always are), three or more of them, at
     * least one a line end and one not. That is a paste of a terminal without bracketed paste, so a
     * field takes it as text, line ends too, and nothing else acts on it (case H4). Line ends that
     * are not part of such a run are INPUT_KEY_ENTER. */
    bool burst;
    char *paste; /* owned by the event; line ends are '\n', tabs are blanks */
    size_t paste_len;
    size_t paste_dropped; /* control bytes and invalid bytes that were left out */
    bool paste_cut;       /* it was longer than INPUT_PASTE_MAX */
    int width_cells, height_cells;
};

#define INPUT_RUN_MS   10
#define INPUT_NAME_MAX 32

/* Wipes and frees what the event owns. */
void input_event_fini(struct input_event *e);
/* "Ctrl-S", "Alt-x", "Shift-Tab", "F1", "a", "Space"; "" for events that are no key. */
void input_event_name(const struct input_event *e, char out[INPUT_NAME_MAX]);
/* The event of such a name; false when it names none. */
bool input_event_parse(const char *name, struct input_event *out);
/* True when e is the key that name stands for. */
bool input_event_is(const struct input_event *e, const char *name);

#endif
