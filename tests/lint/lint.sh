#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# House rules that a program can check: layers and libraries, licence lines, sizes, banned calls,
# key codes in screens, globals, and that no test is left out. Prints one line a breach.
#
#   lint.sh ROOT [BUILD]   BUILD holds the objects of a plain build, for the look at globals

set -eu
export LC_ALL=C

root=${1:-.}
build=${2:-}
case $build in '' | /*) ;; *) build=$(pwd)/$build ;; esac
cd "$root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$work/found
: >"$found"

breach() {
    printf '%s\n' "$*" >>"$found"
}

each_file() { # names of the files below the given directories that match the pattern
    pattern=$1
    shift
    for dir in "$@"; do
        [ ! -d "$dir" ] || find "$dir" -type f -name "$pattern"
    done | sort
}

sources() {
    each_file '*.[ch]' "$@"
}

# The code of a file: no comments, and strings emptied.
code_of() {
    ${CC:-cc} -fpreprocessed -dD -E -w -x c "$1" 2>/dev/null |
        sed -e 's/\\\\/__/g' -e 's/\\"/__/g' -e 's/"[^"]*"/""/g'
}

# Who may include whose headers. A layer that is not named here is a new one: it needs a row.
may_see() {
    case $1 in
    core) echo 'core' ;;
    contract) echo 'contract core' ;;
    flow) echo 'flow contract core' ;;
    secret) echo 'secret core' ;;
    store) echo 'store contract core' ;;
    net) echo 'net secret contract core' ;;
    app) echo 'app net store secret flow contract core' ;;
    plain) echo 'plain app flow contract core' ;;
    ui) echo 'ui app flow contract core' ;;
    term) echo 'term ui app secret core' ;;
    sim) echo 'sim core' ;;
    *.c | *.h) # the top: main, loop and what they are made of
        echo 'term plain ui app net store secret flow contract core'
        ;;
    *) echo '' ;;
    esac
}

layer_of() {
    rest=${1#*/} # behind src/ or include/
    printf '%s\n' "${rest%%/*}"
}

check_layers() {
    sources src include | while read -r file; do
        layer=$(layer_of "$file")
        allowed=" $(may_see "$layer") "
        [ "$allowed" != '  ' ] || breach "$file: the layer '$layer' has no row in tests/lint/lint.sh"
        case $file in */ui/widget_secret.[ch]) allowed="$allowed secret " ;; esac
        ! grep -q '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\./' "$file" ||
            breach "$file: includes by a relative path, past the layers"
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([a-z_]*\)\/[^"]*".*/\1/p' "$file" |
            sort -u | while read -r seen; do
            case $allowed in
            *" $seen "*) ;;
            *) breach "$file: $layer must not include $seen/" ;;
            esac
        done
    done
}

# Which files may include a library's header: header pattern, then path patterns.
library_rows='
curses\.h|ncurses.*|panel\.h|term\.h src/term/*
curl/.* src/net/http.c
sqlite3\.h src/store/*
sodium\.h|sodium/.* src/secret/* src/main.c
microhttpd\.h src/sim/*
cjson/.*|cJSON\.h src/sim/* include/sim/*
jansson\.h src/contract/*
openssl/.* src/net/* src/sim/*
qrencode\.h src/ui/*
utf8proc\.h src/core/*
'

check_libraries() {
    printf '%s' "$library_rows" | while read -r header homes; do
        [ -n "$header" ] || continue
        files=$(sources src include)
        [ -n "$files" ] || continue
        # shellcheck disable=SC2086  # file names of this tree have no blanks
        { grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($header)[>\"]" $files || :; } |
            while read -r file; do
                good=no
                for home in $homes; do
                    # shellcheck disable=SC2254  # a pattern on purpose
                    case $file in $home) good=yes ;; esac
                done
                [ $good = yes ] || breach "$file: may not include <$header>; only $homes may"
            done
    done
}

check_licence() {
    {
        sources src include tests
        each_file '*.def' src include
        each_file '*.sh' tests
        each_file '*.mk' tests
        each_file '*.script' tests
        each_file '*.theme' themes
        for file in Makefile .ci/run; do [ ! -f $file ] || echo $file; done
    } | while read -r file; do
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
            breach "$file: no line 'SPDX-License-Identifier: Apache-2.0' at its head"
    done
}

check_sizes() {
    sources src include tests | while read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 900 ] || breach "$file: $lines lines, more than 900"
        [ "$(awk 'length($0) > 200' "$file" | wc -l)" -eq 0 ] || breach "$file: a line over 200 columns"
    done
    sources src include tests >"$work/files"
    ctags --languages=C --kinds-C=f --fields=+ne --sort=no -f - -L "$work/files" 2>/dev/null |
        awk -F '\t' '{
            first = last = 0
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) first = substr($i, 6)
                if ($i ~ /^end:/) last = substr($i, 5)
            }
            if (last && last - first + 1 > 100)
                printf "%s: %s() has %d lines, more than 100\n", $2, $1, last - first + 1
        }' >>"$found"
}

check_names() {
    find src include tests -type f 2>/dev/null | sort | while read -r file; do
        base=${file##*/}
        case ${base%%.*} in
        misc | util | utils | helper | helpers | common)
            breach "$file: a name that says nothing about its contents"
            ;;
        esac
    done
    sources include | while read -r file; do
        code_of "$file" | grep -v '^[[:space:]]*$' | grep -v '^# [0-9]' >"$work/code" || :
        ! grep -q '^[[:space:]]*#[[:space:]]*include' "$work/code" ||
            grep -qv '^[[:space:]]*#' "$work/code" ||
            grep -q '^[[:space:]]*#[[:space:]]*define [A-Z_a-z0-9]*[( ] *[^ ]' "$work/code" ||
            breach "$file: an umbrella header: it declares nothing itself"
    done
}

banned='strcpy|strcat|stpcpy|strncpy|strncat|sprintf|vsprintf|gets|system|popen|alloca|strtok|tmpnam|tempnam|mktemp|initscr'

report_code() { # file, extended regular expression, message
    code_of "$1" | grep -nE "$2" >"$work/hits" || return 0
    breach "$1: $3: $(sed -n '1s/^[0-9]*:[[:space:]]*//p' "$work/hits" | cut -c 1-80)"
}

check_calls() {
    sources src include tests | while read -r file; do
        report_code "$file" "(^|[^A-Za-z0-9_.>])($banned)[[:space:]]*\\(" 'a banned function'
    done
    sources tests | while read -r file; do
        report_code "$file" '(^|[^A-Za-z0-9_.>])(sleep|usleep|nanosleep|clock_nanosleep)[[:space:]]*\(' \
            'a test waits for a condition, never for time'
    done
    sources src/contract include/contract | while read -r file; do
        report_code "$file" '(^|[^A-Za-z0-9_])(float|double)[^A-Za-z0-9_]' 'money is never a float'
    done
    for file in src/core/money.c include/core/money.h; do
        [ ! -f $file ] || report_code $file '(^|[^A-Za-z0-9_])(float|double)[^A-Za-z0-9_]' 'money is never a float'
    done
}

curses_keys='F|F0|UP|DOWN|LEFT|RIGHT|HOME|END|NPAGE|PPAGE|ENTER|BACKSPACE|DC|IC|BTAB|RESIZE|MOUSE|MIN|MAX|CODE_YES|SUSPEND'

check_keys() {
    sources src/ui include/ui src/app include/app src/plain | while read -r file; do
        report_code "$file" "(^|[^A-Za-z0-9_])KEY_($curses_keys)([^A-Z0-9_]|\$)" 'a curses key code outside term/'
    done
    sources src/ui include/ui | while read -r file; do
        ! grep -qE '\\(033|x1[bB]|e)[^a-z]' "$file" || breach "$file: an escape byte outside term/"
    done
}

# Objects know best what is mutable: constant tables lie in .rodata or .data.rel.ro.
statics_allowed='core/log.o core/alloc.o core/ident.o secret/secret_hook.o term/term.o loop.o main.o sim/sim_main.o'

check_globals() {
    [ -n "$build" ] && [ -d "$build/obj" ] || return 0
    (cd "$build/obj" && find . -name '*.o' ! -path './tests/*' | sed 's/^\.\///' | sort) |
        while read -r object; do
            [ -f "src/${object%.o}.c" ] || continue # left over from a file that is gone
            # columns: value flags(7 wide) section size name
            objdump -t "$build/obj/$object" | awk -v object="$object" -v allowed=" $statics_allowed " '
                match($0, /^[0-9a-f]+ ....... /) {
                    flags = substr($0, RLENGTH - 7, 7)
                    split(substr($0, RLENGTH + 1), part, /[ \t]+/)
                    if (flags !~ /O/ || part[1] !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ ||
                        part[1] ~ /^\.data\.rel\.ro/ || part[3] ~ /^(__|_GLOBAL)/)
                        next
                    if (flags ~ /[gu]/)
                        printf "src/%sc: %s is a mutable global\n", substr(object, 1, length(object) - 1), part[3]
                    else if (index(allowed, " " object " ") == 0)
                        printf "src/%sc: %s is a mutable static; state belongs to the model\n",
                            substr(object, 1, length(object) - 1), part[3]
                }' >>"$found"
        done
}

check_tests_run() {
    [ -f Makefile ] || return 0
    ${MAKE:-make} -s --no-print-directory list-tests MAKEFLAGS= >"$work/listed" 2>/dev/null || {
        breach 'Makefile: list-tests does not work'
        return 0
    }
    {
        each_file 'test_*.c' tests
        [ ! -d tests/script ] || find tests/script -name '*.script'
    } | sort | while read -r file; do
        grep -qxF "$file" "$work/listed" || breach "$file: is not in the run"
    done
}

check_layers
check_libraries
check_licence
check_sizes
check_names
check_calls
check_keys
check_globals
check_tests_run

if [ -s "$found" ]; then
    sort -u "$found"
    echo "lint: $(sort -u "$found" | wc -l) breaches"
    exit 1
fi
echo 'lint: clean'
