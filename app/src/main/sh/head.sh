#!/bin/sh
# Sheaf: a shell head with a jar behind it. Needs Java 17 or later: that of the image it lies in, if it does, else
# JAVA_HOME, else java on the PATH.
# JAVA_OPTS are passed to Java. The first run makes a class-data archive, which makes later ones start faster; it lies in
# SHEAF_CACHE, by default sheaf/ in the user's cache folder, and may be deleted at any time.
# 'task-status ID' is asked for again and again by others that submit; it needs no Java where the end of the task is on record, or the process in
# charge of the queue is known to live on this machine. With options, configuration or another queue, and whenever in doubt, Java answers.
task_word() {
    [ -z "${SHEAF_JSON:-}${SHEAF_VERBOSE:-}${SHEAF_SITE_CONFIG:-}" ] || return 1
    for file in sheaf.conf.yaml "${XDG_CONFIG_HOME:-${HOME:-}/.config}/sheaf/sheaf.conf.yaml" /etc/sheaf/sheaf.conf.yaml; do
        [ ! -e "$file" ] || return 1
    done
    case $1 in
        *[!A-Za-z0-9_]* | "") return 1 ;;
    esac
    queue=.sheaf/queue
    read -r word why 2>/dev/null <"$queue/tasks/$1" || return 1
    case $word in
        success | failed) ;;
        waiting | running)
            [ ! -e "$queue/ending" ] || return 1
            read -r host pid born 2>/dev/null <"$queue/in-charge" || return 1
            read -r here 2>/dev/null </proc/sys/kernel/hostname || return 1
            read -r stat 2>/dev/null <"/proc/$pid/stat" || return 1
            # Behind the name, which may hold anything: the state is the first, the start the 20th.
            stat=${stat##*) }
            # shellcheck disable=SC2086
            set -- $stat
            [ "$host" = "$here" ] && [ "$1" != Z ] && [ "$1" != X ] && [ "${20}" = "$born" ] || return 1
            word=running
            ;;
        *) return 1 ;;
    esac
    echo "$word"
}
if [ $# -eq 2 ] && [ "$1" = task-status ] && task_word "$2"; then
    exit 0
fi
self=$0
while [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=$(dirname "$self")/$link ;;
    esac
done

case $self in
    */*) here=${self%/*} ;;
    *) here=. ;;
esac
# lib/modules is a file in a Java image, and a folder of the kernel's in /usr.
if [ -x "$here/java" ] && [ -f "$here/../lib/modules" ]; then
    java=$here/java
    release=$here/../release
elif [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ]; then
    java=$JAVA_HOME/bin/java
    release=$JAVA_HOME/release
else
    java=$(command -v java) || {
        echo "sheaf: no Java found; install Java 17 or later, or set JAVA_HOME" >&2
        exit 4
    }
    real=$(readlink -f "$java" 2>/dev/null || echo "$java")
    release=$(dirname "$(dirname "$real")")/release
fi

# The version is in a file beside Java; asking Java itself would cost as much as starting Sheaf.
version=
if [ -r "$release" ]; then
    while IFS='=' read -r key value; do
        if [ "$key" = JAVA_VERSION ]; then
            version=${value#\"}
            version=${version%\"}
        fi
    done <"$release"
fi
if [ -z "$version" ]; then
    version=$("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p' | head -n 1)
fi
major=${version%%[!0-9]*}
if [ -n "$major" ] && [ "$major" -lt 17 ]; then
    echo "sheaf: $java is Java $version; Sheaf needs Java 17 or later (set JAVA_HOME)" >&2
    exit 4
fi

# File names are bytes; Java reads them as the locale says, and in the C locale it cannot open "données.json".
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*8) ;;
    *) unset LC_ALL; LC_CTYPE=C.UTF-8; export LC_CTYPE ;;
esac

# Only in a folder of the user's own: an archive that somebody else put there would be code of theirs.
cache=${SHEAF_CACHE:-${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}}
[ -n "${SHEAF_CACHE:-}" ] || cache=${cache:+$cache/sheaf}
# An archive serves one build of Sheaf on one Java; both are in its name. Java itself checks that it fits.
stamp=$(stat -Lc %s-%Y "$self" 2>/dev/null || stat -Lf %z-%m "$self" 2>/dev/null)
archive=$cache/$stamp-$version.jsa
if [ -n "$cache" ] && [ ! -f "$archive" ] && [ "${SHEAF_NO_ARCHIVE:-}" = "" ] && mkdir -p "$cache" 2>/dev/null; then
    made=$archive.$$
    "$java" -XX:ArchiveClassesAtExit="$made" -Xlog:disable -XX:+UseSerialGC -jar "$self" warm-up >/dev/null 2>&1 </dev/null || rm -f "$made"
    if [ -f "$made" ]; then
        find "$cache" -name '*.jsa' -mtime +30 -exec rm -f {} + 2>/dev/null
        mv -f "$made" "$archive" 2>/dev/null || rm -f "$made"
    fi
fi
# A command that is over in no time is not worth the second compiler.
case ${1:-} in
    submit-task | task-status | task-cancel) quick=-XX:TieredStopAtLevel=1 ;;
    *) quick= ;;
esac
# Progress is shown on a terminal only; Java itself cannot tell whether there is one.
if [ -t 2 ]; then
    set -- -Dsheaf.terminal=true -jar "$self" "$@"
else
    set -- -jar "$self" "$@"
fi
if [ -f "$archive" ] && [ -O "$archive" ]; then
    set -- -XX:SharedArchiveFile="$archive" "$@"
fi
# Messages that come from the JDK are in one language, as Sheaf's own are.
# shellcheck disable=SC2086
exec "$java" -Duser.language=en -Duser.country=US -Xlog:disable -XX:+UseSerialGC -XX:-UsePerfData $quick ${JAVA_OPTS:-} "$@"
exit 1
