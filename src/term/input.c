/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's states: plain bytes, after ESC, in a sequence, in a paste; and the queue of events.
 * Must not know a terminal. Invariants: a torn key sequence is swallowed and never becomes text,
 * and bytes that may be a secret are wiped as soon as they are decoded. */
#include <string.h>
#include "core/alloc.h"
#include "core/str.h"
#include "term/input.h"
#include "term/input_keys.h"

#define QUEUE_MAX   (INPUT_BATCH_MAX + 64)
#define EXTRA_MAX   64
#define PASTE_CLOSE "\x1b[201~"
#define BYTE_ESC    0x1b
#define RUN_LEAST   3

enum state {
    STATE_PLAIN,
    STATE_ESC,      /* ESC came; what follows tells what it is */
    STATE_SEQUENCE, /* "ESC [", "ESC O" and what came after */
    STATE_LATE,     /* "[" or "O" soon after an Esc key: the rest of a torn sequence, or typed */
    STATE_PASTE,
};

struct extra {
    char bytes[INPUT_SEQUENCE_BYTES];
    size_t len;
    enum input_key key;
    unsigned mods;
};

struct input {
    enum state state;
    int64_t since_ms;   /* of the last byte that changed or fed the state */
    int64_t esc_key_ms; /* when the last lone Esc key was told */
    char sequence[INPUT_SEQUENCE_BYTES];
    size_t sequence_len;
    bool sequence_torn; /* begins with a late "[": swallowed when it is complete */
    char utf8[4];
    size_t utf8_len;

    char *paste; /* owned, INPUT_PASTE_MAX + 1 */
    size_t paste_len;
    size_t paste_dropped;
    bool paste_cut;
    size_t close_len; /* bytes of PASTE_CLOSE matched */
    bool paste_cr;    /* the last byte was CR: a LF after it is the same line end */

    struct extra extra[EXTRA_MAX];
    size_t extra_count;

    struct input_event queue[QUEUE_MAX];
    size_t head, count;

    /* The present run of text and line ends (INPUT_RUN_MS). */
    int64_t run_ms;
    size_t run_total, run_ends, run_texts;
    size_t run_queued; /* of them, how many are the last ones in the queue */
};

struct input *input_new(void)
{
    struct input *in = alloc_zero(1, sizeof(*in));
    if (in)
        in->esc_key_ms = INT64_MIN / 2;
    return in;
}

static void drop_paste(struct input *in)
{
    alloc_free(in->paste);
    in->paste = NULL;
    in->paste_len = in->paste_dropped = in->close_len = 0;
    in->paste_cut = in->paste_cr = false;
}

void input_free(struct input *in)
{
    struct input_event e;
    if (!in)
        return;
    while (input_next(in, &e))
        input_event_fini(&e);
    drop_paste(in);
    alloc_free(in);
}

static void end_run(struct input *in)
{
    in->run_total = in->run_ends = in->run_texts = in->run_queued = 0;
}

void input_reset(struct input *in)
{
    drop_paste(in);
    in->state = STATE_PLAIN;
    in->sequence_len = in->utf8_len = 0;
    end_run(in);
}

enum err input_add_sequence(struct input *in, const char *bytes, enum input_key key, unsigned mods)
{
    size_t len = strlen(bytes);
    if (len < 2 || len > INPUT_SEQUENCE_BYTES || bytes[0] != BYTE_ESC)
        return ERR_FORMAT;
    if (in->extra_count == EXTRA_MAX)
        return ERR_LIMIT;
    struct extra *x = &in->extra[in->extra_count++];
    memcpy(x->bytes, bytes, len);
    x->len = len;
    x->key = key;
    x->mods = mods;
    return ERR_OK;
}

static struct input_event *push(struct input *in, enum input_kind kind)
{
    if (in->count == QUEUE_MAX)
        return NULL;
    struct input_event *e = &in->queue[(in->head + in->count++) % QUEUE_MAX];
    *e = (struct input_event){.kind = kind};
    return e;
}

/* Counts one more event of a run, which is the newest in the queue. */
static void extend_run(struct input *in, bool line_end, int64_t now_ms)
{
    if (in->run_total > 0 && now_ms - in->run_ms > INPUT_RUN_MS)
        end_run(in);
    in->run_ms = now_ms;
    in->run_total++;
    in->run_queued++;
    if (line_end)
        in->run_ends++;
    else
        in->run_texts++;
}

static void push_key(struct input *in, enum input_key key, unsigned mods, int64_t now_ms)
{
    struct input_event *e = push(in, INPUT_KEY);
    if (!e)
        return;
    e->key = key;
    e->mods = mods;
    if (key == INPUT_KEY_ENTER && mods == 0)
        extend_run(in, true, now_ms);
    else if (key != INPUT_KEY_TAB)
        end_run(in);
}

static void push_char(struct input *in, const char *bytes, size_t len, unsigned mods)
{
    struct input_event *e = push(in, INPUT_KEY);
    if (!e)
        return;
    e->key = INPUT_KEY_CHAR;
    e->mods = mods;
    memcpy(e->text, bytes, len);
    end_run(in);
}

static void push_text(struct input *in, const char *bytes, size_t len, int64_t now_ms)
{
    struct input_event *e = push(in, INPUT_TEXT);
    if (!e)
        return;
    memcpy(e->text, bytes, len);
    extend_run(in, false, now_ms);
}

static void push_esc(struct input *in, int64_t now_ms)
{
    push_key(in, INPUT_KEY_ESC, 0, now_ms);
    in->esc_key_ms = now_ms;
}

static void feed_control(struct input *in, unsigned char byte, int64_t now_ms)
{
    char letter;
    switch (byte) {
    case '\r':
    case '\n':
        push_key(in, INPUT_KEY_ENTER, 0, now_ms);
        return;
    case '\t':
        push_key(in, INPUT_KEY_TAB, 0, now_ms);
        return;
    case 0x08:
    case 0x7F:
        push_key(in, INPUT_KEY_BACKSPACE, 0, now_ms);
        return;
    case 0x00:
        push_char(in, " ", 1, INPUT_CTRL);
        return;
    default:
        letter = (char)(byte <= 26 ? byte - 1 + 'a' : byte + '@');
        push_char(in, &letter, 1, INPUT_CTRL);
    }
}

/* Collects the bytes of a code point; bytes that make none are left out. */
static void feed_text(struct input *in, unsigned char byte, int64_t now_ms)
{
    bool tail = (byte & 0xC0) == 0x80;
    if (in->utf8_len > 0 && !tail)
        in->utf8_len = 0; /* the one before was cut off */
    if (in->utf8_len == 0 && byte >= 0x80 && (byte < 0xC2 || byte > 0xF4))
        return;
    in->utf8[in->utf8_len++] = (char)byte;
    unsigned char lead = (unsigned char)in->utf8[0];
    size_t need = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (in->utf8_len < need)
        return;
    int32_t cp;
    if (str_decode(in->utf8, need, &cp) == need && cp >= 0 && !(cp >= 0x80 && cp < 0xA0))
        push_text(in, in->utf8, need, now_ms);
    in->utf8_len = 0;
}

static void start_paste(struct input *in)
{
    drop_paste(in);
    in->paste = alloc_bytes(INPUT_PASTE_MAX + 1);
    in->paste_cut = in->paste == NULL; /* still swallowed to its end */
    in->state = STATE_PASTE;
}

static void paste_bytes(struct input *in, const char *bytes, size_t len)
{
    if (!in->paste || in->paste_len + len > INPUT_PASTE_MAX) {
        in->paste_cut = true;
        return;
    }
    memcpy(in->paste + in->paste_len, bytes, len);
    in->paste_len += len;
}

static void paste_byte(struct input *in, unsigned char byte)
{
    bool after_cr = in->paste_cr;
    in->paste_cr = byte == '\r';
    if (byte == '\n' && after_cr)
        return;
    if (byte == '\r' || byte == '\n')
        paste_bytes(in, "\n", 1);
    else if (byte == '\t')
        paste_bytes(in, " ", 1);
    else if (byte < 0x20 || byte == 0x7F)
        in->paste_dropped++;
    else
        paste_bytes(in, (const char *)&byte, 1);
}

/* Leaves out bytes that are no UTF-8, in place (a cut may have split the last character). */
static void clean_paste(struct input *in)
{
    size_t kept = 0;
    for (size_t at = 0; at < in->paste_len;) {
        int32_t cp;
        size_t n = str_decode(in->paste + at, in->paste_len - at, &cp);
        if (cp < 0 || (cp >= 0x80 && cp < 0xA0)) {
            in->paste_dropped++;
        } else {
            memmove(in->paste + kept, in->paste + at, n);
            kept += n;
        }
        at += n;
    }
    in->paste_len = kept;
    in->paste[kept] = '\0';
}

static void finish_paste(struct input *in)
{
    in->state = STATE_PLAIN;
    end_run(in);
    if (in->paste)
        clean_paste(in);
    struct input_event *e = in->paste ? push(in, INPUT_PASTE) : NULL;
    if (e) {
        e->paste = in->paste;
        e->paste_len = in->paste_len;
        e->paste_dropped = in->paste_dropped;
        e->paste_cut = in->paste_cut;
        in->paste = NULL;
    }
    drop_paste(in);
}

static void feed_paste(struct input *in, unsigned char byte)
{
    static const char close[] = PASTE_CLOSE;
    if (byte == (unsigned char)close[in->close_len]) {
        if (++in->close_len == sizeof(close) - 1)
            finish_paste(in);
        return;
    }
    /* It looked like the end, but was not: these bytes belong to the paste. */
    for (size_t i = 0; i < in->close_len; i++)
        paste_byte(in, (unsigned char)close[i]);
    in->close_len = byte == BYTE_ESC ? 1 : 0;
    if (in->close_len == 0)
        paste_byte(in, byte);
}

static void take_sequence(struct input *in, int64_t now_ms)
{
    struct input_keys_found found;
    bool known = false;
    for (size_t i = 0; i < in->extra_count && !known; i++) {
        known = in->extra[i].len == in->sequence_len &&
                memcmp(in->extra[i].bytes, in->sequence, in->sequence_len) == 0;
        if (known)
            found = (struct input_keys_found){
                .what = INPUT_KEYS_KEY, .key = in->extra[i].key, .mods = in->extra[i].mods};
    }
    if (!known)
        found = input_keys_find(in->sequence, in->sequence_len);
    in->state = STATE_PLAIN;
    bool torn = in->sequence_torn;
    in->sequence_torn = false;
    if (found.what == INPUT_KEYS_PASTE)
        start_paste(in);
    else if (found.what == INPUT_KEYS_FOCUS_IN)
        push(in, INPUT_FOCUS_IN);
    else if (found.what == INPUT_KEYS_FOCUS_OUT)
        push(in, INPUT_FOCUS_OUT);
    else if (found.what == INPUT_KEYS_KEY && !torn)
        push_key(in, found.key, found.mods, now_ms);
}

static bool is_extra_prefix(const struct input *in)
{
    for (size_t i = 0; i < in->extra_count; i++) {
        if (in->extra[i].len > in->sequence_len &&
            memcmp(in->extra[i].bytes, in->sequence, in->sequence_len) == 0)
            return true;
    }
    return false;
}

static void feed_sequence(struct input *in, unsigned char byte, int64_t now_ms)
{
    if (byte == BYTE_ESC) { /* the one before was cut off */
        in->state = STATE_ESC;
        in->sequence_torn = false;
        return;
    }
    if (in->sequence_len == INPUT_SEQUENCE_BYTES) { /* too long to be any: swallowed to its end */
        if (byte >= 0x40 && byte <= 0x7E)
            in->state = STATE_PLAIN;
        return;
    }
    in->sequence[in->sequence_len++] = (char)byte;
    if (is_extra_prefix(in))
        return;
    if (input_keys_is_complete(in->sequence, in->sequence_len))
        take_sequence(in, now_ms);
}

static void start_sequence(struct input *in, unsigned char byte)
{
    in->sequence[0] = BYTE_ESC;
    in->sequence[1] = (char)byte;
    in->sequence_len = 2;
    in->state = STATE_SEQUENCE;
}

static void feed_plain(struct input *in, unsigned char byte, int64_t now_ms)
{
    if (byte == BYTE_ESC) {
        in->utf8_len = 0;
        in->state = STATE_ESC;
    } else if ((byte == '[' || byte == 'O') && now_ms - in->esc_key_ms <= INPUT_LATE_MS) {
        in->sequence[1] = (char)byte;
        in->state = STATE_LATE;
    } else {
        in->esc_key_ms = INT64_MIN / 2; /* another key came between: no torn sequence any more */
        if (byte < 0x20 || byte == 0x7F) {
            in->utf8_len = 0;
            feed_control(in, byte, now_ms);
        } else {
            feed_text(in, byte, now_ms);
        }
    }
}

static void feed_esc(struct input *in, unsigned char byte, int64_t now_ms)
{
    bool alt = now_ms - in->since_ms <= INPUT_ALT_MS;
    if (byte == '[' || byte == 'O') {
        start_sequence(in, byte);
        return;
    }
    in->state = STATE_PLAIN;
    if (byte == BYTE_ESC) {
        push_esc(in, now_ms);
        in->state = STATE_ESC;
    } else if (alt && byte >= 0x20 && byte < 0x7F) {
        push_char(in, (const char *)&byte, 1, INPUT_ALT);
    } else if (alt && (byte == '\r' || byte == 0x7F || byte == 0x08)) {
        push_key(in, byte == '\r' ? INPUT_KEY_ENTER : INPUT_KEY_BACKSPACE, INPUT_ALT, now_ms);
    } else {
        push_esc(in, now_ms);
        feed_plain(in, byte, now_ms);
    }
}

/* After a lone Esc and "[": a parameter or an upper-case end means that it was a key sequence whose
 * bytes came too slowly. Anything else was typed. */
static void feed_late(struct input *in, unsigned char byte, int64_t now_ms)
{
    char opener = in->sequence[1];
    bool rest = (byte >= '0' && byte <= '9') || byte == ';' || (byte >= 'A' && byte <= 'Z');
    in->esc_key_ms = INT64_MIN / 2;
    if (rest) {
        start_sequence(in, (unsigned char)opener);
        in->sequence_torn = true;
        feed_sequence(in, byte, now_ms);
        return;
    }
    in->state = STATE_PLAIN;
    push_text(in, &opener, 1, now_ms);
    feed_plain(in, byte, now_ms);
}

static void feed_byte(struct input *in, unsigned char byte, int64_t now_ms)
{
    switch (in->state) {
    case STATE_PLAIN:
        feed_plain(in, byte, now_ms);
        break;
    case STATE_ESC:
        feed_esc(in, byte, now_ms);
        break;
    case STATE_SEQUENCE:
        feed_sequence(in, byte, now_ms);
        break;
    case STATE_LATE:
        feed_late(in, byte, now_ms);
        break;
    case STATE_PASTE:
        feed_paste(in, byte);
        break;
    }
    in->since_ms = now_ms;
}

static int64_t state_limit_ms(const struct input *in)
{
    static const int limits[] = {
        [STATE_PLAIN] = 0,
        [STATE_ESC] = INPUT_ESC_MS,
        [STATE_SEQUENCE] = INPUT_LATE_MS,
        [STATE_LATE] = INPUT_LATE_MS,
        [STATE_PASTE] = INPUT_PASTE_IDLE_MS,
    };
    return limits[in->state];
}

static void expire(struct input *in, int64_t now_ms)
{
    if (in->state == STATE_PLAIN || now_ms - in->since_ms < state_limit_ms(in))
        return;
    switch (in->state) {
    case STATE_ESC:
        in->state = STATE_PLAIN;
        push_esc(in, now_ms);
        break;
    case STATE_LATE:
        in->state = STATE_PLAIN;
        push_text(in, &in->sequence[1], 1, now_ms);
        break;
    case STATE_PASTE:
        finish_paste(in);
        break;
    default: /* a sequence that never ended is swallowed */
        in->state = STATE_PLAIN;
        in->sequence_torn = false;
    }
}

void input_feed(struct input *in, const void *bytes, size_t len, int64_t now_ms)
{
    const unsigned char *b = bytes;
    expire(in, now_ms);
    for (size_t i = 0; i < len; i++)
        feed_byte(in, b[i], now_ms);
}

/* Turns the events of the present run that were not handed out yet into text. */
static void mark_burst(struct input *in)
{
    if (in->run_total < RUN_LEAST || in->run_ends == 0 || in->run_texts == 0)
        return;
    size_t left = in->run_queued;
    for (size_t i = in->count; i > 0 && left > 0; i--) {
        struct input_event *e = &in->queue[(in->head + i - 1) % QUEUE_MAX];
        bool tab = e->kind == INPUT_KEY && e->key == INPUT_KEY_TAB;
        if (e->kind != INPUT_KEY && e->kind != INPUT_TEXT)
            continue;
        if (e->kind == INPUT_KEY)
            memcpy(e->text, tab ? " " : "\n", 2);
        e->kind = INPUT_TEXT;
        e->key = INPUT_KEY_NONE;
        e->burst = true;
        left -= !tab; /* a Tab between is not counted in the run, but belongs to it */
    }
}

void input_settle(struct input *in, int64_t now_ms)
{
    expire(in, now_ms);
    mark_burst(in);
}

void input_put_size(struct input *in, int width_cells, int height_cells)
{
    struct input_event *e = push(in, INPUT_RESIZE);
    if (!e)
        return;
    e->width_cells = width_cells;
    e->height_cells = height_cells;
}

void input_put_eof(struct input *in)
{
    push(in, INPUT_EOF);
}

bool input_next(struct input *in, struct input_event *out)
{
    if (in->count == 0) {
        in->run_queued = 0;
        return false;
    }
    struct input_event *e = &in->queue[in->head];
    *out = *e;
    explicit_bzero(e, sizeof(*e));
    in->head = (in->head + 1) % QUEUE_MAX;
    in->count--;
    return true;
}

int input_wait_ms(const struct input *in, int64_t now_ms)
{
    if (in->state == STATE_PLAIN)
        return -1;
    int64_t left = state_limit_ms(in) - (now_ms - in->since_ms);
    return left > 0 ? (int)left : 0;
}
