/* SPDX-License-Identifier: Apache-2.0 */
/* A small full-screen program for the tests of the harness itself. It draws every kind of cell that
 * the harness must read back, echoes what is typed, and says which keys and sizes arrived. */
#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static void probe_draw(const char *typed, const char *key)
{
    erase();
    attron(A_BOLD | COLOR_PAIR(1));
    mvaddstr(0, 0, "Title in red");
    attroff(A_BOLD | COLOR_PAIR(1));
    attron(A_DIM);
    mvaddstr(1, 0, "dim words");
    attroff(A_DIM);
    attron(A_REVERSE);
    mvaddstr(2, 0, "bar");
    attroff(A_REVERSE);
    mvaddstr(3, 0,
             "wide \xe4\xb8\x96\xe7\x95\x8c| \xe2\x82\xb9"
             "2,499.00 \xe2\x94\x80\xe2\x94\xac");
    mvprintw(4, 0, "size %dx%d", COLS, LINES);
    mvprintw(5, 0, "key %s", key);
    mvprintw(6, 0, "typed [%s]", typed);
    move(6, 7 + (int)strlen(typed));
    refresh();
}

/* A size change between ncurses' look at its flag and its read would wait for the next key, so each
 * read is short; without input only a terminal that is gone ends the program. */
static int probe_read(void)
{
    struct pollfd fd = {.fd = 0, .events = POLLIN};
    for (;;) {
        int c = getch();
        if (c != ERR || (poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL))))
            return c;
    }
}

int main(int argc, char **argv)
{
    char typed[256] = "";
    const char *key = "none";
    int c;

    (void)argv; /* any argument hides the cursor */
    setlocale(LC_ALL, "");
    set_escdelay(25);
    if (!newterm(NULL, stdout, stdin))
        return 2;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_RED, -1);
    cbreak();
    noecho();
    nonl();
    timeout(50);
    keypad(stdscr, TRUE);
    curs_set(argc > 1 ? 0 : 1);
    probe_draw(typed, key);
    while ((c = probe_read()) != 'q' && c != ERR) {
        size_t n = strlen(typed);
        if (c >= KEY_MIN)
            key = keyname(c);
        else if (c == 27)
            key = "Esc";
        else if (c == '\r')
            key = "Enter";
        else if (c == 19)
            key = "C-s";
        else if (n + 1 < sizeof(typed)) {
            typed[n] = (char)c;
            typed[n + 1] = '\0';
        }
        if (c == '!')
            abort();
        probe_draw(typed, key);
    }
    endwin();
    return c == 'q' ? 3 : 4;
}
