#!/bin/sh
# Sheaf: a shell head with a jar behind it. Needs Java 17 or later: that of the image it lies in, if it does, else
# JAVA_HOME, else java on the PATH.
# JAVA_OPTS are passed to Java. The first run makes a class-data archive, which makes later ones start faster; it lies in
# SHEAF_CACHE, by default sheaf/ in the user's cache folder, and may be deleted at any time.
# What others that submit single jobs do most often needs no Java: 'task-status ID', and 'submit-task' with plain options to a queue whose process in
# charge lives on this machine. With other options, configuration or another queue, and whenever in doubt, Java does it.
queue=.sheaf/queue
plain() {
    [ -z "${SHEAF_JSON:-}${SHEAF_VERBOSE:-}${SHEAF_SITE_CONFIG:-}" ] || return 1
    for file in sheaf.conf.yaml "${XDG_CONFIG_HOME:-${HOME:-}/.config}/sheaf/sheaf.conf.yaml" /etc/sheaf/sheaf.conf.yaml; do
        [ ! -e "$file" ] || return 1
    done
}
# Whether the process in charge of the queue lives here and does not want to end; then its cluster is known.
attended() {
    { read -r host pid born most_nodes most_cores form <"$queue/in-charge"; } 2>/dev/null && lives
}
# The same for one that is about to be in charge: it reads what is in the inbox then.
starting() {
    { { read -r host pid born && read -r most_nodes most_cores form; } <"$queue/starting"; } 2>/dev/null && lives
}
lives() {
    [ ! -e "$queue/ending" ] || return 1
    { read -r here </proc/sys/kernel/hostname; } 2>/dev/null || return 1
    { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || return 1
    # Behind the name, which may hold anything: the state is the first, the start the 20th.
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    # One that was killed has no program any more, and may yet take a while to be gone.
    [ "$host" = "$here" ] && [ "$1" != Z ] && [ "$1" != X ] && [ "${20}" = "$born" ] && [ -e "/proc/$pid/exe" ]
}
is_id() {
    case $1 in
        *[!A-Za-z0-9_]* | "") return 1 ;;
    esac
    [ -e "$queue/tasks/$1" ]
}
# Waits until a task ends, up to a number of seconds, as TaskQueue.awaitEnd does.
await_end() {
    is_number "$2" && mkdir -p "$queue/unreported" || return 1
    # In fifths of a second; one process for each.
    left=$(($2 * 5))
    is_unreported && left=0
    while { read -r word _ <"$queue/tasks/$1"; } 2>/dev/null && attended && [ "$left" -gt 0 ]; do
        case $word in
            success | failed) break ;;
        esac
        sleep 0.2
        left=$((left - 1))
        if [ "$left" -gt 5 ] && is_unreported; then left=5; fi
    done
    case $word in
        success | failed) rm -f "$queue/unreported/$1.later" "$queue/unreported/$1" ;;
    esac
}
is_unreported() {
    for end in "$queue"/unreported/*; do
        case $end in
            *.later | */\*) ;;
            *)
                [ -n "$(find "$queue/unreported" -type f ! -name '*.later' -mmin -1 2>/dev/null | head -n 1)" ]
                return
                ;;
        esac
    done
    return 1
}
task_word() {
    plain && is_id "$1" || return 1
    { read -r word _ <"$queue/tasks/$1"; } 2>/dev/null || return 1
    case $word in
        success | failed) ;;
        waiting | running)
            attended || return 1
            word=running
            ;;
        *) return 1 ;;
    esac
    echo "$word"
}
is_number() {
    case $1 in
        *[!0-9]* | "" | ???????*) return 1 ;;
    esac
}
is_room() {
    set -- "$queue"/run/inbox/*.wish
    [ $# -lt 1000 ]
}
# The program that hands in one task after the other, as Snakemake does: the nearest above in this session that is no shell. While it lives more are likely to
# come and nodes are kept; when it has ended no more come, and those that wait to be taken together need not wait any longer.
note_submitter() {
    above=$PPID session=
    { read -r stat <"/proc/$$/stat"; } 2>/dev/null || return 0
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    session=$4
    while { read -r stat <"/proc/$above/stat"; } 2>/dev/null; do
        name=${stat%)*}
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        case ${name#*(} in
            sh | dash | bash | ash | ksh | zsh | fish) above=$2 ;;
            *)
                [ "$4" = "$session" ] || return 0
                echo "$host $above ${20} $id" >>"$queue/run/inbox/from-$above-${20}"
                return
                ;;
        esac
    done
}
hand_in() {
    shift
    plain && { attended || starting; } && [ "$form" = "sheaf-task 1" ] && is_room || return 1
    cores=1 memory=0 nodes=1 time=10m category=task retries=0 after=
    while [ $# -gt 1 ] && [ "$1" != -- ]; do
        case $1 in
            --cores) is_number "$2" && cores=$2 || return 1 ;;
            --task-nodes) is_number "$2" && nodes=$2 || return 1 ;;
            --retries) is_number "$2" && retries=$2 || return 1 ;;
            --time)
                case $2 in
                    *[smhd]) is_number "${2%?}" && time=$2 || return 1 ;;
                    *) return 1 ;;
                esac
                ;;
            --mem)
                case $2 in
                    *[KMGT]) is_number "${2%?}" && memory=$2 || return 1 ;;
                    *) return 1 ;;
                esac
                ;;
            --category)
                case $2 in
                    *[!A-Za-z0-9_.-]* | "" | -*) return 1 ;;
                esac
                category=$2
                ;;
            --after)
                while [ $# -gt 1 ] && [ "${2#-}" = "$2" ]; do
                    is_id "$2" || return 1
                    after="$after $2"
                    shift
                done
                shift
                continue
                ;;
            # What is told of the cluster counts when the queue is made.
            --on | --partition | --nodes | --cores-per-node | --strategy | --gather | --hold | --idle | --queue-interval)
                [ "${2#-}" = "$2" ] || return 1
                ;;
            *) return 1 ;;
        esac
        shift 2
    done
    [ $# -gt 1 ] && [ "$1" = -- ] || return 1
    shift
    [ "$cores" -ge 1 ] && [ "$cores" -le "$most_cores" ] && [ "$nodes" -ge 1 ] && [ "$nodes" -le "$most_nodes" ] || return 1
    { read -r uuid </proc/sys/kernel/random/uuid; } 2>/dev/null || return 1
    id=${uuid##*-}
    id=${uuid%%-*}${id%????}
    at=$(date +%s%6N) && folder=$(pwd -P) || return 1
    case $at in
        *[!0-9]* | "") return 1 ;;
    esac
    case $1 in
        */*) script=$1 ;;
        *) script=./$1 ;;
    esac
    if [ "$script" = "$1" ] || [ -e "$script" ]; then
        # A script is copied: it may change or go.
        [ -f "$script" ] && mkdir -p "$queue/scripts" && install -m 700 "$script" "$queue/scripts/$id" 2>/dev/null || return 1
        shift
        set -- "$folder/$queue/scripts/$id" "$@"
    fi
    [ -d "$queue/run/inbox" ] || mkdir -p "$queue/run/inbox" || return 1
    note_submitter
    # Durable under another name first: it is there as a whole or not at all.
    made=$queue/run/inbox/000$at-$id.tmp
    echo waiting >"$queue/tasks/$id" &&
        printf '%s\0' "sheaf-task 1" "$id" "$folder" "$category" "$cores" "$memory" "$nodes" "$time" "$retries" "$after" "$@" >"$made" &&
        sync "$made" && mv "$made" "${made%.tmp}.wish" || {
        rm -f "$made" "$queue/tasks/$id" "$queue/scripts/$id"
        return 1
    }
    # From here on it is handed in, and must not be once more.
    sync "$queue/run/inbox" || sync
    # Whoever is in charge now has heard of it; otherwise Java sees to it that somebody is.
    attended || starting || attended || "$0" task-status --queue "$queue" "$id" >/dev/null
    echo "$id"
}
case ${1:-} in
    task-status)
        [ $# -eq 2 ] && task_word "$2" && exit 0
        if [ $# -eq 4 ] && [ "$2" = --wait ] && [ "${3%s}" != "$3" ] && plain && is_id "$4"; then
            await_end "$4" "${3%s}" && task_word "$4" && exit 0
        fi
        ;;
    submit-task) hand_in "$@" && exit 0 ;;
esac
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
if [ -n "$cache" ] && [ ! -f "$archive" ] && [ "${SHEAF_NO_ARCHIVE:-}" = "" ] && (umask 077 && mkdir -p "$cache") 2>/dev/null; then
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
    # Reading a large workflow leaves much behind; a large heap at the start would keep it all.
    run | resume) quick=-Xms32m ;;
    *) quick= ;;
esac
# Progress and colours are for terminals only; Java itself cannot tell whether there is one.
set -- -jar "$self" "$@"
if [ -t 2 ]; then set -- -Dsheaf.terminal=true "$@"; fi
if [ -t 1 ]; then set -- -Dsheaf.terminal.out=true "$@"; fi
if [ -f "$archive" ] && [ -O "$archive" ]; then
    set -- -XX:SharedArchiveFile="$archive" "$@"
fi
# Messages that come from the JDK are in one language, as Sheaf's own are.
# shellcheck disable=SC2086
exec "$java" -Duser.language=en -Duser.country=US -Xlog:disable -XX:+UseSerialGC -XX:-UsePerfData $quick ${JAVA_OPTS:-} "$@"
exit 1
