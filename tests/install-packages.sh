#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building, running and testing need: one list, and no work at all
# when everything is there. On another system it names what is missing and stops.
#
#   tests/install-packages.sh            install what is missing
#   tests/install-packages.sh --missing  only print what is missing

set -eu

# build
packages='build-essential pkg-config libncurses-dev libcurl4-openssl-dev libjansson-dev libcjson-dev
libsodium-dev libsqlite3-dev libmicrohttpd-dev libssl-dev libqrencode-dev libutf8proc-dev'
# check
packages="$packages libcmocka-dev libvterm-dev universal-ctags ncurses-base ncurses-bin ncurses-term
tmux procps curl jq ca-certificates"

missing_debian() {
    for package in $packages; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || :)
        [ "$status" = installed ] || printf '%s\n' "$package"
    done
}

# Without dpkg: what the build and the tests would look for, by name of library or program.
missing_elsewhere() {
    for program in cc make pkg-config ctags nm tmux curl jq; do
        command -v "$program" >/dev/null 2>&1 || printf '%s (program)\n' "$program"
    done
    if command -v pkg-config >/dev/null 2>&1; then
        for library in ncursesw libcurl jansson libcjson libsodium sqlite3 libmicrohttpd libcrypto \
            libqrencode libutf8proc cmocka vterm; do
            pkg-config --exists "$library" || printf '%s (library with headers)\n' "$library"
        done
    fi
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    missing=$(missing_elsewhere)
    [ -n "$missing" ] || exit 0
    echo 'This script installs packages on Debian and its relatives only. Missing here:' >&2
    printf '%s\n' "$missing" | sed 's/^/  /' >&2
    echo 'Install these with the package manager of this system, then run make again.' >&2
    exit 1
fi

missing=$(missing_debian)
if [ "${1:-}" = --missing ]; then
    [ -z "$missing" ] || printf '%s\n' "$missing"
    exit 0
fi
[ -n "$missing" ] || exit 0

# shellcheck disable=SC2086  # one word a package
set -- $missing
echo "Installing: $*" >&2
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Not root and no sudo here. As root: apt-get install --no-install-recommends $*" >&2
        exit 1
    fi
    as_root=sudo
fi
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=300 "$@" >&2
}
apt update
apt install --no-install-recommends "$@"
