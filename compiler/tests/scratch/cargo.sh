#!/usr/bin/env bash
# Stands in for cargo. Builds are noted in $LOG, the flags of compilers in $LOG.flags, and they make a file instead of a binary ($MADE
# names another one); everything else is for the real cargo. With $FAILS a build fails, with $BROKEN it fails because that package does
# not compile (in the words of $RENDERED), with $HANGS it changes the lock file, hangs and writes the id of a process that it started to
# that file. With $READS the package whose source holds `compile_error!` does not compile. What tests cover stands in the file
# `report.lcov` of the current folder.
if [ "$1" = llvm-cov ]; then
    mkdir -p "$(dirname "${@: -1}")" && exec cp report.lcov "${@: -1}"
fi
if [ "$1" != build ]; then
    exec "$REAL_CARGO" "$@"
fi
echo "$PWD: $*${CARGO_PKG_NAME:+ as if it were part of $CARGO_PKG_NAME}" >> "$LOG"
printf '%s\n%s\n' "${CARGO_ENCODED_RUSTFLAGS//$'\x1f'/ }" "$CFLAGS" > "$LOG.flags"
if [ -n "$FAILS" ]; then
    echo 'error: no such luck' >&2
    exit 101
fi
source=${READS:+$(grep -rl --include=lib.rs 'compile_error!' plugins vendor 2>/dev/null)}
if [ -n "$source" ]; then
    BROKEN=$(sed -n 's/^name = "\(.*\)"$/\1/p' "${source%/src/lib.rs}/Cargo.toml")
fi
if [ -n "$BROKEN" ]; then
    echo "{\"reason\":\"compiler-message\",\"package_id\":\"path+file:///x#$BROKEN@0.1.0\",\"message\":{\"level\":\"error\",\"rendered\":\"${RENDERED:-error[E0425]: such is rustc\\n}\"}}"
    echo "error: could not compile \`$BROKEN\` (lib) due to 1 previous error" >&2
    exit 101
fi
if [ -n "$HANGS" ]; then
    echo '# changed' >> Cargo.lock
    sleep 1000 &
    echo $! > "$HANGS"
    wait
fi
while [ $# -gt 0 ]; do
    case $1 in
        --bin) name=$2 ;;
        --target-dir) target=$2 ;;
    esac
    shift
done
made=${MADE:-$target/$name}
if [ -z "$MADE" ]; then
    mkdir -p "$target"
    echo made > "$made"
fi
echo "{\"reason\":\"compiler-artifact\",\"package_id\":\"a\",\"target\":{\"name\":\"$name\"},\"executable\":\"$made\"}"
