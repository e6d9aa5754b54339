#!/bin/sh
# Sheaf: a shell head with a jar behind it. Needs Java 17 or later: that of the image it lies in, if it does, else
# JAVA_HOME, else java on the PATH.
# JAVA_OPTS are passed to Java. The first run makes a class-data archive, which makes later ones start faster; it lies in
# SHEAF_CACHE, by default sheaf/ in the user's cache folder, and may be deleted at any time.
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
exec "$java" -Duser.language=en -Duser.country=US -Xlog:disable -XX:+UseSerialGC -XX:-UsePerfData ${JAVA_OPTS:-} "$@"
exit 1
