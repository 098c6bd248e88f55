/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal itself: taking it, drawing frames, revealing over them, reading it, giving it back.
 * Must not know what a frame means. Invariants: curses never holds a revealed byte; after every way
 * out the line settings are those found at the start, and nothing revealed is on the screen. */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <curses.h>
#include "core/alloc.h"
#include "core/str.h"
#include "term/paint.h"
#include "term/term.h"
#include <term.h> /* last: it makes macros of common words */

#define SEQUENCE_MAX    64   /* bytes of one captured capability */
#define COPY_MAX        2048 /* bytes of text for the clipboard */
#define REVEAL_ROWS_MAX 4
#define CRASH_STACK     16384
#define ESC_DELAY_MS    25

#define MODES_ON  "\x1b[?2004h\x1b[?1004h"
#define MODES_OFF "\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"

struct sequence {
    char bytes[SEQUENCE_MAX];
    size_t len;
};

static struct {
    bool open, suspended, eof_told;
    bool show_cursor, is_ansi;
    int cursor_state; /* of curs_set; -1 when not known */
    SCREEN *screen;
    struct termios shell; /* as found */
    struct paint paint;
    struct canvas_cell *shown; /* owned copy of what curses was given */
    int width, height;         /* of shown */
    int told_width, told_height;
    struct canvas_rect revealed;
    /* For a way out that must not call anything but write and tcsetattr. */
    volatile sig_atomic_t must_restore;
    volatile sig_atomic_t is_revealed;
    struct sequence revealed_rows[REVEAL_ROWS_MAX]; /* moves the cursor to each */
    struct sequence clear, bold, plain, cursor_on, leave;
} term;

static char crash_stack[CRASH_STACK];

static void write_all(const void *bytes, size_t len)
{
    const char *b = bytes;
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, b, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        b += n;
        len -= (size_t)n;
    }
}

static void write_text(const char *s)
{
    write_all(s, strlen(s));
}

/* A string capability, or NULL. */
static const char *capability(const char *name)
{
    const char *s = tigetstr(name);
    return s == (const char *)-1 ? NULL : s;
}

/* Without the padding marks "$<5>" that only tputs understands. */
static void take_plain(struct sequence *out, const char *s)
{
    out->len = 0;
    while (s && *s && out->len < SEQUENCE_MAX) {
        const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
        if (end) {
            s = end + 1;
            continue;
        }
        out->bytes[out->len++] = *s++;
    }
}

static void capture(struct sequence *out, const char *name)
{
    take_plain(out, capability(name));
}

static enum err complain(char *why, size_t size, const char *what)
{
    snprintf(why, size, "%s", what);
    return ERR_CONFIG;
}

enum err term_check(char *why, size_t size)
{
    const char *name = getenv("TERM");
    if (!isatty(STDIN_FILENO))
        return complain(why, size,
                        "Standard input is not a terminal: start envoy-console in a terminal, or "
                        "use --plain for line output.");
    if (!isatty(STDOUT_FILENO))
        return complain(why, size,
                        "Standard output is not a terminal: start envoy-console in a terminal, or "
                        "use --plain for line output.");
    if (!name || *name == '\0')
        return complain(why, size,
                        "TERM is not set: set it to the kind of this terminal, for example "
                        "TERM=xterm-256color, or use --plain for line output.");
    int found = 0;
    if (setupterm(NULL, STDOUT_FILENO, &found) == ERR) {
        char shown[64];
        str_cut(shown, sizeof(shown), str_has_hidden(name, strlen(name)) ? "?" : name, 40, true);
        snprintf(why, size,
                 "TERM=%s is not a terminal that can be drawn on: set TERM to the kind of this "
                 "terminal, for example xterm-256color, or use --plain for line output.",
                 shown);
        return ERR_CONFIG;
    }
    bool can_draw = capability("cup") && capability("clear");
    del_curterm(cur_term);
    if (!can_draw)
        return complain(why, size,
                        "This kind of terminal cannot place its cursor: set TERM to what it really "
                        "is, for example xterm-256color, or use --plain for line output.");
    return ERR_OK;
}

void term_size(int *width_cells, int *height_cells)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *width_cells = known ? size.ws_col : 80;
    *height_cells = known ? size.ws_row : 24;
}

static const int kept_signals[] = {SIGTSTP, SIGINT, SIGTERM, SIGWINCH};
#define KEPT_COUNT (sizeof(kept_signals) / sizeof(kept_signals[0]))

/* newterm installs handlers of its own; what to do at a signal is the loop's business. */
static SCREEN *open_screen(void)
{
    struct sigaction kept[KEPT_COUNT];
    for (size_t i = 0; i < KEPT_COUNT; i++)
        sigaction(kept_signals[i], NULL, &kept[i]);
    use_env(FALSE); /* LINES and COLUMNS may be stale: the kernel knows the size */
    use_tioctl(TRUE);
    set_escdelay(ESC_DELAY_MS);
    SCREEN *screen = newterm(NULL, stdout, stdin);
    for (size_t i = 0; i < KEPT_COUNT; i++)
        sigaction(kept_signals[i], &kept[i], NULL);
    return screen;
}

/* Keys as bytes at once: no line editing, no flow control (Ctrl-S is a key), no signals from keys,
 * and Enter told from Ctrl-J by nobody. */
static void set_line(void)
{
    struct termios line;
    raw();
    noecho();
    nonl();
    typeahead(-1);
    if (tcgetattr(STDIN_FILENO, &line) == 0) {
        line.c_iflag &= ~(tcflag_t)(ISTRIP | INLCR | IGNCR | ICRNL | IXON);
        line.c_cc[VMIN] = 1;
        line.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &line);
    }
    def_prog_mode();
}

/* UTF-8 by the locale, and not a kind of terminal that is known to lack our signs. */
static bool can_show_utf8(void)
{
    const char *name = getenv("TERM");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        return false;
    return !(name &&
             (str_starts(name, "vt1") || str_starts(name, "vt2") || str_starts(name, "linux")));
}

static void forget_shown(void)
{
    alloc_free(term.shown);
    term.shown = NULL;
    term.width = term.height = 0;
}

static void modes(bool on)
{
    if (term.is_ansi)
        write_text(on ? MODES_ON : MODES_OFF);
}

enum err term_open(const struct term_options *options, char *why, size_t size)
{
    enum err e = term_check(why, size);
    if (e != ERR_OK)
        return e;
    memset(&term, 0, sizeof(term));
    if (tcgetattr(STDIN_FILENO, &term.shell) != 0)
        return complain(why, size, "The terminal's settings cannot be read.");
    term.screen = open_screen();
    if (!term.screen)
        return complain(why, size,
                        "The terminal cannot be opened: set TERM to its kind, for example "
                        "xterm-256color, or use --plain for line output.");
    /* The palette is the person's: without these strings curses cannot reset or change it. */
    orig_colors = NULL;
    initialize_color = NULL;
    const char *cup = capability("cup");
    term.is_ansi = cup && str_starts(cup, "\x1b[");
    capture(&term.clear, "clear");
    capture(&term.bold, "bold");
    capture(&term.plain, "sgr0");
    capture(&term.cursor_on, "cnorm");
    capture(&term.leave, "rmcup");
    term.show_cursor = options->show_cursor;
    term.cursor_state = -1;
    term.paint.utf8 = can_show_utf8();
    theme_builtin(&term.paint.theme, "mono");
    term.must_restore = 1;
    term.open = true;
    set_line();
    /* Shifted text would carry revealed characters with it. */
    idcok(stdscr, FALSE);
    idlok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    modes(true);
    return ERR_OK;
}

/* The cursor comes last: a scroll of curses saves it, hidden, and some terminals bring that back
 * when they leave the alternate screen. */
static void leave_screen(void)
{
    modes(false);
    endwin();
    write_all(term.cursor_on.bytes, term.cursor_on.len);
}

void term_close(void)
{
    if (!term.open)
        return;
    term_unreveal();
    if (!term.suspended)
        leave_screen();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &term.shell);
    term.must_restore = 0;
    term.open = false;
    delscreen(term.screen);
    forget_shown();
}

bool term_is_open(void)
{
    return term.open;
}

bool term_is_utf8(void)
{
    return term.paint.utf8;
}

int term_colors(void)
{
    int colors = tigetnum("colors");
    return colors > 0 ? colors : 0;
}

int term_fd(void)
{
    return STDIN_FILENO;
}

void term_set_theme(const struct theme *theme, enum theme_depth depth)
{
    paint_set_theme(&term.paint, theme, depth);
    forget_shown();
}

static bool same_cell(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return a->len == b->len && a->cells == b->cells && a->style == b->style &&
           memcmp(a->bytes, b->bytes, a->len) == 0;
}

static const struct canvas_cell blank_cell = {
    .bytes = " ", .len = 1, .cells = 1, .style = THEME_DEFAULT};

/* Brings curses and the copy to the terminal's size; an unknown copy is one that differs
 * everywhere. */
static enum err fit_size(void)
{
    int width;
    int height;
    term_size(&width, &height);
    if (width == term.width && height == term.height && term.shown)
        return ERR_OK;
    struct canvas_cell *fresh = alloc_zero((size_t)width * (size_t)height, sizeof(*fresh));
    if (!fresh)
        return ERR_MEMORY;
    if (is_term_resized(height, width))
        resize_term(height, width);
    if (width != term.width || height != term.height)
        clearok(curscr, TRUE);
    forget_shown();
    term.shown = fresh;
    term.width = width;
    term.height = height;
    return ERR_OK;
}

static bool is_in(struct canvas_rect r, int x, int y)
{
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static void end_reveal(void)
{
    if (!term.is_revealed)
        return;
    wredrawln(stdscr, term.revealed.y, term.revealed.h);
    term.is_revealed = 0;
}

static void draw_row(const struct canvas *c, int y)
{
    for (int x = 0; x < term.width; x++) {
        struct canvas_cell *shown = &term.shown[(size_t)y * (size_t)term.width + (size_t)x];
        const struct canvas_cell *cell = canvas_cell_view(c, x, y);
        if (!cell || (cell->cells == 2 && x + 1 >= term.width))
            cell = &blank_cell;
        if (same_cell(shown, cell))
            continue;
        *shown = *cell;
        if (term.is_revealed && is_in(term.revealed, x, y))
            end_reveal();
        if (cell->cells > 0)
            paint_put_cell(&term.paint, x, y, cell);
    }
}

static bool row_was_at(const struct canvas *c, int y, int old_y)
{
    for (int x = 0; x < term.width; x++) {
        const struct canvas_cell *cell = canvas_cell_view(c, x, y);
        if (!same_cell(&term.shown[(size_t)old_y * (size_t)term.width + (size_t)x],
                       cell ? cell : &blank_cell))
            return false;
    }
    return true;
}

/* Curses moves such rows by scrolling a part of the screen, whatever idlok says, and would carry
 * revealed characters to where nothing covers them again. */
static bool moves_rows(const struct canvas *c)
{
    for (int y = 0; y < term.height; y++) {
        if (row_was_at(c, y, y))
            continue;
        for (int old_y = 0; old_y < term.height; old_y++)
            if (row_was_at(c, y, old_y))
                return true;
    }
    return false;
}

static void place_cursor(const struct canvas *c)
{
    struct canvas_cursor_at at = canvas_cursor_view(c);
    int state = (at.placed && at.insertion) || term.show_cursor ? 1 : 0;
    if (at.placed)
        wmove(stdscr, at.y < term.height ? at.y : term.height - 1,
              at.x < term.width ? at.x : term.width - 1);
    if (state != term.cursor_state)
        curs_set(state);
    term.cursor_state = state;
}

enum err term_draw(const struct canvas *c)
{
    if (!term.open || term.suspended)
        return ERR_OK;
    int was_width = term.width;
    int was_height = term.height;
    enum err e = fit_size();
    if (e != ERR_OK)
        return e;
    if (term.width != was_width || term.height != was_height)
        end_reveal();
    if (term.is_revealed && moves_rows(c))
        term_unreveal();
    int row;
    int column;
    getyx(stdscr, row, column);
    for (int y = 0; y < term.height; y++)
        draw_row(c, y);
    wmove(stdscr, row, column);
    place_cursor(c);
    wnoutrefresh(stdscr);
    doupdate();
    return ERR_OK;
}

void term_redraw(void)
{
    if (!term.open)
        return;
    term_unreveal();
    clearok(curscr, TRUE);
}

void term_bell(void)
{
    if (term.open && !term.suspended)
        write_text("\a");
}

enum err term_copy(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t len = strlen(text);
    if (len > COPY_MAX)
        return ERR_LIMIT;
    if (!term.open || term.suspended || !term.is_ansi)
        return ERR_CONFIG;
    char out[4 * (COPY_MAX / 3 + 1) + 1];
    size_t used = 0;
    for (size_t i = 0; i < len; i += 3) {
        unsigned long block = 0;
        for (size_t k = 0; k < 3; k++)
            block = block << 8 | (i + k < len ? (unsigned char)text[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            out[used++] = i + k > len ? '=' : digits[block >> (18 - 6 * k) & 63];
    }
    write_text("\x1b]52;c;");
    write_all(out, used);
    write_text("\a");
    return ERR_OK;
}

static void take_place(struct sequence *out, int x, int y)
{
    const char *cup = capability("cup");
    take_plain(out, cup ? tiparm(cup, y, x) : NULL);
}

static void go_to(int x, int y)
{
    struct sequence place;
    take_place(&place, x, y);
    write_all(place.bytes, place.len);
}

/* Bytes of the next row that fit in width cells, with blanks between groups. */
static size_t row_bytes(int width, int group, size_t left)
{
    size_t room = (size_t)width;
    if (group <= 0)
        return left < room ? left : room;
    size_t each = (size_t)group;
    size_t groups = (room + 1) / (each + 1);
    size_t most = groups > 0 ? groups * each : 0;
    return left < most ? left : most;
}

static bool fits(struct canvas_rect area, int group, size_t len)
{
    for (int row = 0; row < area.h && len > 0; row++)
        len -= row_bytes(area.w, group, len);
    return len == 0;
}

/* Gives back how many cells it took. */
static int reveal_row(const unsigned char *bytes, size_t len, int group)
{
    size_t each = group > 0 ? (size_t)group : len;
    int cells = (int)len;
    for (size_t at = 0; at < len; at += each) {
        if (at > 0) {
            write_all(" ", 1);
            cells++;
        }
        write_all(bytes + at, len - at < each ? len - at : each);
    }
    return cells;
}

static bool same_rect(struct canvas_rect a, struct canvas_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

enum err term_reveal(struct canvas_rect area, int group, const unsigned char *bytes, size_t len)
{
    if (!term.open || term.suspended)
        return ERR_CONFIG;
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] < 0x20 || bytes[i] >= 0x7F)
            return ERR_FORMAT;
    }
    if (area.x < 0 || area.y < 0 || area.x + area.w > term.width || area.y + area.h > term.height ||
        !fits(area, group, len))
        return ERR_LIMIT;
    if (term.is_revealed && !same_rect(area, term.revealed))
        term_unreveal();
    for (int row = 0; row < area.h; row++)
        take_place(&term.revealed_rows[row], area.x, area.y + row);
    term.revealed = area;
    term.is_revealed = 1;
    doupdate(); /* what curses still has to say comes first */
    const struct theme_look *look = theme_look(&term.paint.theme, term.paint.depth, THEME_REVEAL);
    for (int row = 0; len > 0; row++) {
        size_t n = row_bytes(area.w, group, len);
        write_all(term.revealed_rows[row].bytes, term.revealed_rows[row].len);
        if (look->attrs & THEME_BOLD)
            write_all(term.bold.bytes, term.bold.len);
        int cells = reveal_row(bytes, n, group);
        write_all(term.plain.bytes, term.plain.len);
        for (; cells < area.w; cells++) /* what is left of the mask would be read as a part of it */
            write_all(" ", 1);
        bytes += n;
        len -= n;
    }
    go_to(getcurx(curscr), getcury(curscr));
    return ERR_OK;
}

void term_unreveal(void)
{
    if (!term.is_revealed)
        return;
    end_reveal();
    if (term.suspended)
        return;
    wnoutrefresh(stdscr);
    doupdate();
}

bool term_is_revealed(void)
{
    return term.is_revealed != 0;
}

static void notice_size(struct input *in)
{
    int width;
    int height;
    term_size(&width, &height);
    if (width == term.told_width && height == term.told_height)
        return;
    term.told_width = width;
    term.told_height = height;
    input_put_size(in, width, height);
}

void term_read(struct input *in, int64_t now_mono)
{
    unsigned char bytes[INPUT_BATCH_MAX];
    size_t len = 0;
    bool gone = false;
    notice_size(in);
    while (len < sizeof(bytes) && !gone) {
        struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
        int ready = poll(&fd, 1, 0);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            break;
        ssize_t n = read(STDIN_FILENO, bytes + len, sizeof(bytes) - len);
        if (n > 0)
            len += (size_t)n;
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            gone = true;
    }
    input_feed(in, bytes, len, now_mono);
    explicit_bzero(bytes, sizeof(bytes));
    input_settle(in, now_mono);
    if (gone && !term.eof_told) {
        input_put_eof(in);
        term.eof_told = true;
    }
}

enum err term_describe_keys(struct input *in)
{
    static const struct {
        const char *name;
        enum input_key key;
        unsigned mods;
    } keys[] = {
        {"kcuu1", INPUT_KEY_UP, 0},
        {"kcud1", INPUT_KEY_DOWN, 0},
        {"kcub1", INPUT_KEY_LEFT, 0},
        {"kcuf1", INPUT_KEY_RIGHT, 0},
        {"khome", INPUT_KEY_HOME, 0},
        {"kend", INPUT_KEY_END, 0},
        {"kpp", INPUT_KEY_PAGE_UP, 0},
        {"knp", INPUT_KEY_PAGE_DOWN, 0},
        {"kich1", INPUT_KEY_INSERT, 0},
        {"kdch1", INPUT_KEY_DELETE, 0},
        {"kcbt", INPUT_KEY_TAB, INPUT_SHIFT},
        {"kent", INPUT_KEY_ENTER, 0},
        {"kf1", INPUT_KEY_F1, 0},
        {"kf2", INPUT_KEY_F2, 0},
        {"kf3", INPUT_KEY_F3, 0},
        {"kf4", INPUT_KEY_F4, 0},
        {"kf5", INPUT_KEY_F5, 0},
        {"kf6", INPUT_KEY_F6, 0},
        {"kf7", INPUT_KEY_F7, 0},
        {"kf8", INPUT_KEY_F8, 0},
        {"kf9", INPUT_KEY_F9, 0},
        {"kf10", INPUT_KEY_F10, 0},
        {"kf11", INPUT_KEY_F11, 0},
        {"kf12", INPUT_KEY_F12, 0},
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *bytes = capability(keys[i].name);
        enum err e = bytes ? input_add_sequence(in, bytes, keys[i].key, keys[i].mods) : ERR_OK;
        if (e == ERR_LIMIT)
            return e;
        /* ERR_FORMAT: a single byte or no sequence at all; such keys are known by their form. */
    }
    return ERR_OK;
}

void term_suspend(void)
{
    if (!term.open || term.suspended)
        return;
    term_unreveal();
    leave_screen();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &term.shell);
    term.must_restore = 0;
    term.suspended = true;
}

enum err term_resume(void)
{
    if (!term.open || !term.suspended)
        return ERR_OK;
    if (tcgetattr(STDIN_FILENO, &term.shell) != 0)
        return ERR_CONFIG;
    def_shell_mode(); /* a person may have changed it with stty meanwhile */
    reset_prog_mode();
    term.suspended = false;
    term.must_restore = 1;
    term.cursor_state = -1;
    modes(true);
    clearok(curscr, TRUE);
    wnoutrefresh(stdscr);
    doupdate();
    return ERR_OK;
}

/* Blanks over the reveal itself: clearing the screen is not enough, since multiplexers keep what is
 * cleared in their history. */
static void cover_reveal(void)
{
    for (int row = 0; row < term.revealed.h; row++) {
        write_all(term.revealed_rows[row].bytes, term.revealed_rows[row].len);
        for (int x = 0; x < term.revealed.w; x++)
            write_all(" ", 1);
    }
}

void term_restore_async(void)
{
    int kept = errno;
    if (!term.must_restore)
        return;
    term.must_restore = 0;
    if (term.is_revealed)
        cover_reveal();
    if (term.is_revealed || term.leave.len == 0)
        write_all(term.clear.bytes, term.clear.len);
    modes(false);
    write_all(term.plain.bytes, term.plain.len);
    write_all(term.leave.bytes, term.leave.len);
    write_all(term.cursor_on.bytes, term.cursor_on.len);
    tcsetattr(STDIN_FILENO, TCSANOW, &term.shell);
    errno = kept;
}

static void on_crash(int signal_number)
{
    term_restore_async();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void term_catch_crashes(void)
{
    /* Crashes, then all that would end the process unasked: nobody here sends these, but whoever
     * does must not leave a raw terminal with a card on it. */
    static const int crashes[] = {SIGSEGV, SIGBUS,  SIGILL,    SIGFPE,   SIGABRT, SIGTRAP,
                                  SIGSYS,  SIGXCPU, SIGUSR1,   SIGUSR2,  SIGALRM, SIGIO,
                                  SIGPROF, SIGPWR,  SIGVTALRM, SIGSTKFLT};
    /* A stack that has run over needs another one for the handler. */
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof(crash_stack)};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
        sigaction(crashes[i], &action, NULL);
}
