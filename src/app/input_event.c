/* SPDX-License-Identifier: Apache-2.0 */
/* Names of keys, both ways, and the end of an event's life. Must not know bytes of any terminal.
 * Invariant: every name that is written can be read back to the same key. */
#include <stdio.h>
#include <string.h>
#include "app/input_event.h"
#include "core/alloc.h"
#include "core/str.h"

static const char *const key_names[INPUT_KEY_COUNT] = {
#define X(NAME, words) [INPUT_KEY_##NAME] = words,
    INPUT_KEY_ROWS(X)
#undef X
};

static const struct {
    const char *prefix;
    unsigned mod;
} mod_names[] = {{"Ctrl-", INPUT_CTRL}, {"Alt-", INPUT_ALT}, {"Shift-", INPUT_SHIFT}};
#define MOD_COUNT (sizeof(mod_names) / sizeof(mod_names[0]))

void input_event_fini(struct input_event *e)
{
    alloc_free(e->paste);
    explicit_bzero(e, sizeof(*e));
}

static const char *char_name(const char *text)
{
    return strcmp(text, " ") == 0 ? "Space" : strcmp(text, "\n") == 0 ? "Enter" : text;
}

void input_event_name(const struct input_event *e, char out[INPUT_NAME_MAX])
{
    out[0] = '\0';
    if (e->kind == INPUT_TEXT) {
        snprintf(out, INPUT_NAME_MAX, "%s", char_name(e->text));
        return;
    }
    const char *base = e->key == INPUT_KEY_CHAR ? char_name(e->text) : key_names[e->key];
    if (e->kind != INPUT_KEY || !base)
        return;
    for (size_t i = 0; i < MOD_COUNT; i++) {
        size_t used = strlen(out);
        if (e->mods & mod_names[i].mod)
            snprintf(out + used, INPUT_NAME_MAX - used, "%s", mod_names[i].prefix);
    }
    size_t used = strlen(out);
    /* People know the key as it is printed on it: Ctrl-S, although no shift is meant. */
    bool letter = e->key == INPUT_KEY_CHAR && (e->mods & INPUT_CTRL) && base[0] >= 'a' &&
                  base[0] <= 'z' && base[1] == '\0';
    if (letter)
        snprintf(out + used, INPUT_NAME_MAX - used, "%c", base[0] - 'a' + 'A');
    else
        snprintf(out + used, INPUT_NAME_MAX - used, "%s", base);
}

static bool parse_char(const char *name, struct input_event *e)
{
    const char *text = strcmp(name, "Space") == 0 ? " " : name;
    int32_t cp;
    size_t len = strlen(text);
    size_t n = str_decode(text, len, &cp);
    if (n == 0 || n != len || cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
        return false;
    if (e->mods & INPUT_SHIFT)
        return false; /* a shifted character is another character */
    if (e->mods != 0) {
        e->kind = INPUT_KEY;
        e->key = INPUT_KEY_CHAR;
    } else {
        e->kind = INPUT_TEXT;
    }
    memcpy(e->text, text, len);
    if ((e->mods & INPUT_CTRL) && cp >= 'A' && cp <= 'Z')
        e->text[0] = (char)(cp - 'A' + 'a');
    return true;
}

bool input_event_parse(const char *name, struct input_event *out)
{
    struct input_event e = {.kind = INPUT_KEY};
    for (size_t i = 0; i < MOD_COUNT;) {
        if (str_starts(name, mod_names[i].prefix) && !(e.mods & mod_names[i].mod)) {
            e.mods |= mod_names[i].mod;
            name += strlen(mod_names[i].prefix);
            i = 0;
        } else {
            i++;
        }
    }
    for (int key = INPUT_KEY_CHAR + 1; key < INPUT_KEY_COUNT; key++) {
        if (strcmp(key_names[key], name) == 0) {
            e.key = (enum input_key)key;
            *out = e;
            return true;
        }
    }
    if (!parse_char(name, &e))
        return false;
    *out = e;
    return true;
}

bool input_event_is(const struct input_event *e, const char *name)
{
    struct input_event want;
    if (e->burst || !input_event_parse(name, &want))
        return false;
    return want.kind == e->kind && want.key == e->key && want.mods == e->mods &&
           strcmp(want.text, e->text) == 0;
}
