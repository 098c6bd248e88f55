/* SPDX-License-Identifier: Apache-2.0 */
/* Complete key sequences to keys. Must not keep anything. */
#include "term/input_keys.h"

#define PARAM_MAX 999

struct parsed {
    int params[2];
    char final;
};

bool input_keys_is_complete(const char *sequence, size_t len)
{
    if (len < 3)
        return false;
    if (sequence[1] == '[' && sequence[2] == '[') /* the Linux console's F1 to F5 */
        return len >= 4;
    unsigned char last = (unsigned char)sequence[len - 1];
    return last >= 0x40 && last <= 0x7E;
}

static bool parse(const char *sequence, size_t len, struct parsed *out)
{
    int which = 0;
    *out = (struct parsed){.params = {0, 0}, .final = sequence[len - 1]};
    for (size_t i = 2; i + 1 < len; i++) {
        char c = sequence[i];
        if (c == ';' && which == 0) {
            which = 1;
            continue;
        }
        if (c < '0' || c > '9' || out->params[which] > PARAM_MAX)
            return false;
        out->params[which] = out->params[which] * 10 + (c - '0');
    }
    return true;
}

static enum input_key tilde_key(int number)
{
    static const enum input_key keys[] = {
        [1] = INPUT_KEY_HOME, [2] = INPUT_KEY_INSERT,  [3] = INPUT_KEY_DELETE,
        [4] = INPUT_KEY_END,  [5] = INPUT_KEY_PAGE_UP, [6] = INPUT_KEY_PAGE_DOWN,
        [7] = INPUT_KEY_HOME, [8] = INPUT_KEY_END,     [11] = INPUT_KEY_F1,
        [12] = INPUT_KEY_F2,  [13] = INPUT_KEY_F3,     [14] = INPUT_KEY_F4,
        [15] = INPUT_KEY_F5,  [17] = INPUT_KEY_F6,     [18] = INPUT_KEY_F7,
        [19] = INPUT_KEY_F8,  [20] = INPUT_KEY_F9,     [21] = INPUT_KEY_F10,
        [23] = INPUT_KEY_F11, [24] = INPUT_KEY_F12,
    };
    return number < (int)(sizeof(keys) / sizeof(keys[0])) ? keys[number] : INPUT_KEY_NONE;
}

static enum input_key letter_key(char letter)
{
    switch (letter) {
    case 'A':
        return INPUT_KEY_UP;
    case 'B':
        return INPUT_KEY_DOWN;
    case 'C':
        return INPUT_KEY_RIGHT;
    case 'D':
        return INPUT_KEY_LEFT;
    case 'F':
        return INPUT_KEY_END;
    case 'H':
        return INPUT_KEY_HOME;
    case 'M':
        return INPUT_KEY_ENTER; /* of the keypad */
    case 'P':
        return INPUT_KEY_F1;
    case 'Q':
        return INPUT_KEY_F2;
    case 'R':
        return INPUT_KEY_F3;
    case 'S':
        return INPUT_KEY_F4;
    case 'Z':
        return INPUT_KEY_TAB;
    default:
        return INPUT_KEY_NONE;
    }
}

static unsigned mods_of(int param)
{
    if (param < 2 || param > 16)
        return 0;
    unsigned bits = (unsigned)param - 1;
    return (bits & 1 ? INPUT_SHIFT : 0u) | (bits & 2 ? INPUT_ALT : 0u) |
           (bits & 4 ? INPUT_CTRL : 0u);
}

static struct input_keys_found key(enum input_key k, unsigned mods)
{
    return (struct input_keys_found){
        .what = k == INPUT_KEY_NONE ? INPUT_KEYS_NONE : INPUT_KEYS_KEY, .key = k, .mods = mods};
}

static struct input_keys_found only(enum input_keys_what what)
{
    return (struct input_keys_found){.what = what, .key = INPUT_KEY_NONE, .mods = 0};
}

static struct input_keys_found find_csi(const struct parsed *p, size_t len)
{
    bool bare = len == 3;
    if (bare && p->final == 'I')
        return only(INPUT_KEYS_FOCUS_IN);
    if (bare && p->final == 'O')
        return only(INPUT_KEYS_FOCUS_OUT);
    switch (p->final) {
    case '~':
        if (p->params[0] == 200)
            return only(INPUT_KEYS_PASTE);
        return key(tilde_key(p->params[0]), mods_of(p->params[1]));
    case '^': /* rxvt: with Ctrl, with Shift, with both */
        return key(tilde_key(p->params[0]), INPUT_CTRL);
    case '$':
        return key(tilde_key(p->params[0]), INPUT_SHIFT);
    case '@':
        return key(tilde_key(p->params[0]), INPUT_SHIFT | INPUT_CTRL);
    case 'Z':
        return key(INPUT_KEY_TAB, INPUT_SHIFT);
    case 'M':
        return only(INPUT_KEYS_NONE);
    default:
        break;
    }
    if (bare && p->final >= 'a' && p->final <= 'd')
        return key(letter_key((char)(p->final - 'a' + 'A')), INPUT_SHIFT);
    return key(letter_key(p->final), mods_of(p->params[1]));
}

struct input_keys_found input_keys_find(const char *sequence, size_t len)
{
    struct parsed p;
    if (sequence[1] == '[' && sequence[2] == '[') {
        char letter = sequence[3];
        return letter >= 'A' && letter <= 'E' ? key(tilde_key(letter - 'A' + 11), 0)
                                              : only(INPUT_KEYS_NONE);
    }
    if (!parse(sequence, len, &p))
        return only(INPUT_KEYS_NONE);
    if (sequence[1] == '[')
        return find_csi(&p, len);
    if (p.final >= 'a' && p.final <= 'd')
        return key(letter_key((char)(p.final - 'a' + 'A')), INPUT_CTRL);
    /* "ESC O 5 A" carries its modifier in the only number. */
    return key(letter_key(p.final), mods_of(p.params[1] ? p.params[1] : p.params[0]));
}
