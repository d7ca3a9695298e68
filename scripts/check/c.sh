#!/usr/bin/env bash
# Tests the C library that scripts/build/c.sh installed:
#
# - the header in C and C++ has the recorded layout, crates/capi/tests/abi-layout.txt;
# - the examples compile with all warnings as errors, and run, also under valgrind;
# - static and dynamic linking, soname, exported symbols, and Python's ctypes.
#
#   scripts/check/c.sh [PREFIX]    tests the library in PREFIX [default: target/c]
#   scripts/check/c.sh --quick     only the layout and the examples, without valgrind, with the
#                                  library of profile dev, which builds in half a minute
#
# Needs cc, c++, pkg-config, nm and readelf (binutils), valgrind and Python 3; installs nothing.
set -euo pipefail

say() { printf 'check/c: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'check/c: error: %s\n' "$*" >&2; exit 1; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
quick=no
prefix=${1:-$target/c}
if [ "$prefix" = --quick ]; then
    quick=yes
    (cd "$root" && cargo build --locked --lib)
    prefix=$target/c-quick
    mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
    cp "$root/crates/capi/include/slidingtilepdb.h" "$prefix/include"
    cp "$target"/debug/libslidingtilepdb.{so,a} "$prefix/lib"
    cat >"$prefix/lib/pkgconfig/slidingtilepdb.pc" <<END
Name: slidingtilepdb
Description: the library of profile dev
Version: 0
Cflags: -I$prefix/include
Libs: -L$prefix/lib -lslidingtilepdb
END
fi
[ -f "$prefix/include/slidingtilepdb.h" ] ||
    die "no C library in $prefix: run scripts/build/c.sh"
prefix=$(cd "$prefix" && pwd)
for tool in cc c++ pkg-config nm readelf valgrind python3; do
    command -v "$tool" >/dev/null || die "$tool is missing"
done
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
examples=$root/crates/capi/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra flags <<<"$(pkg-config --cflags --libs slidingtilepdb)"
warnings=(-Wall -Wextra -Wpedantic -Werror -O1 -g)

test_cmake() {
    mkdir "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(slidingtilepdb $(pkg-config --modversion slidingtilepdb) REQUIRED)
add_executable(shared $examples/solve.c)
target_link_libraries(shared slidingtilepdb::slidingtilepdb)
add_executable(static $examples/solve.c)
target_link_libraries(static slidingtilepdb::static)
END
    (cmake -S "$work/cmake" -B "$work/cmake/build" "-DCMAKE_PREFIX_PATH=$prefix" &&
        cmake --build "$work/cmake/build") >"$work/out" || { cat "$work/out"; die "cmake failed"; }
    for program in shared static; do
        "$work/cmake/build/$program" | grep -q "^55 moves: " || die "$program, by cmake, failed"
    done
}

test_installed() {
    say "the installed files"
    abi=$(sed -n 's/^constant STP_ABI_VERSION //p' "$root/crates/capi/tests/abi-layout.txt")
    version=$(pkg-config --modversion slidingtilepdb)
    soname=$(readelf -d "$prefix/lib/libslidingtilepdb.so" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
    [ "$soname" = "libslidingtilepdb.so.$abi" ] || die "the soname is $soname"
    [ -e "$prefix/lib/$soname" ] && [ -f "$prefix/lib/libslidingtilepdb.a" ] ||
        die "a library is missing"
    cmp "$root/crates/capi/include/slidingtilepdb.h" "$prefix/include/slidingtilepdb.h"
    for file in LICENSE-MIT LICENSE-APACHE THIRD-PARTY; do
        [ -s "$prefix/share/licenses/slidingtilepdb/$file" ] || die "$file is missing"
    done
    if command -v cmake >/dev/null; then
        test_cmake
    else
        say "cmake is missing: the cmake files are not tested"
    fi
    grep -v '^typedef' "$root/crates/capi/tests/abi-declarations.txt" |
        sed 's/(.*//; s/.*[ *]//' | LC_ALL=C sort >"$work/expected"
    # has_symbols LIBRARY OPTION: succeeds if the library has exactly the symbols of the header.
    has_symbols() {
        nm "$2" --defined-only --format=posix "$prefix/lib/$1" | sed '/:$/d; s/ .*//' |
            LC_ALL=C sort | diff "$work/expected" -
    }
    has_symbols libslidingtilepdb.so -D || die "the exported symbols differ from the header"
    has_symbols libslidingtilepdb.a --extern-only ||
        die "the symbols of the static library differ from the header"
}
if [ $quick = no ]; then test_installed; fi

say "the layout in C and C++"
awk '
    BEGIN { print "#include <slidingtilepdb.h>\n#ifdef __cplusplus"
            print "#define ASSERT(x) static_assert(x, #x)"
            print "#else\n#define ASSERT(x) _Static_assert(x, #x)\n#endif" }
    $1 == "constant" { printf "ASSERT(%s == %s);\n", $2, $3 }
    $1 == "struct" { name = $2; printf "ASSERT(sizeof(%s) == %s);\n", name, $4 }
    $2 == "at" { printf "ASSERT(offsetof(%s, %s) == %s);\n", name, $1, $3
                 printf "ASSERT(sizeof(((%s *)0)->%s) == %s);\n", name, $1, $5 }
    END { print "int main(void) { return 0; }" }
' "$root/crates/capi/tests/abi-layout.txt" >"$work/layout.c"
cc -std=c11 "${warnings[@]}" -c "$work/layout.c" "${flags[@]}" -o "$work/layout.o"
c++ -std=c++17 -x c++ "${warnings[@]}" -c "$work/layout.c" "${flags[@]}" -o "$work/layout.o"

# Every leak is an error, including memory that is still reachable at exit.
checked() {
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
        --errors-for-leak-kinds=all --suppressions="$root/crates/capi/valgrind.supp" "$@" \
        >"$work/out" || { cat "$work/out"; die "$*"; }
}

# Tables of four-tile patterns are built in seconds, even under valgrind.
export STP_PARTITION=4-4-4-3
for source in "$examples"/*.c "$examples"/*.cpp; do
    name=$(basename "$source")
    case $name in
        *.cpp) compile=(c++ -std=c++17) ;;
        *) compile=(cc -std=c11) ;;
    esac
    "${compile[@]}" "${warnings[@]}" "$source" "${flags[@]}" -pthread -o "$work/$name.shared"
    say "$name"
    "$work/$name.shared" >"$work/out" || { cat "$work/out"; die "$name failed"; }
    if [ $quick = no ]; then
        say "$name under valgrind"
        checked "$work/$name.shared"
    fi
done
grep -q '"status":"unsolvable"' <("$work/list.cpp.shared") ||
    die "list.cpp does not report the unsolvable board"
"$work/solve.c.shared" "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0" >"$work/out" 2>&1 &&
    die "solve.c accepts an unsolvable board"
grep -q "swapping tiles 14 and 15" "$work/out" || die "solve.c does not report the swapped tiles"

[ $quick = no ] || exit 0
say "static linking"
libraries=$(pkg-config --static --libs-only-l slidingtilepdb)
read -ra libraries <<<"${libraries/-lslidingtilepdb/}"
cc -std=c11 "${warnings[@]}" -I "$prefix/include" "$examples/solve.c" \
    "$prefix/lib/libslidingtilepdb.a" "${libraries[@]}" -o "$work/solve.static"
env -u LD_LIBRARY_PATH "$work/solve.static" | grep -q "^55 moves: " ||
    die "the statically linked solve.c failed"

say "Python's ctypes"
(unset STP_PARTITION; python3 "$examples/solve.py" | grep -q "^55 moves: ") || die "solve.py failed"

say "all passed: version $version"
