#!/bin/sh
# Sheaf's launcher: a shell script with the jar appended. It starts Sheaf with Java 17 or later: with the Java of the image
# that contains it, else with JAVA_HOME, else with java on the PATH. JAVA_OPTS are passed to Java.
# The first start writes a class-data archive, which speeds up later starts. Archives are in SHEAF_CACHE, by default sheaf/ in
# the user's cache folder, and may be deleted at any time.
# Two frequent commands need no Java: 'task-status ID', and 'submit-task' with simple options to a queue whose manager runs on
# this machine. Java handles all other options, configurations and queues, and every case of doubt.
queue=.sheaf/queue
# Whether neither the environment nor a configuration file changes how commands work.
has_default_settings() {
    [ -z "${SHEAF_JSON:-}${SHEAF_VERBOSE:-}${SHEAF_SITE_CONFIG:-}" ] || return 1
    for file in sheaf.conf.yaml "${XDG_CONFIG_HOME:-${HOME:-}/.config}/sheaf/sheaf.conf.yaml" /etc/sheaf/sheaf.conf.yaml; do
        [ ! -e "$file" ] || return 1
    done
}
# Whether the queue's manager runs on this machine and is not about to end. Reads the size of its cluster.
is_manager_alive() {
    { read -r host pid start_time max_nodes max_cores form <"$queue/manager"; } 2>/dev/null && is_process_alive
}
# The same for a manager that is starting: it reads the inbox once it has the lease.
is_manager_starting() {
    { { read -r host pid start_time && read -r max_nodes max_cores form; } <"$queue/starting"; } 2>/dev/null && is_process_alive
}
# Whether the process $pid of $host runs on this machine, has this start time, and is not about to end.
is_process_alive() {
    [ ! -e "$queue/ending" ] || return 1
    { read -r this_host </proc/sys/kernel/hostname; } 2>/dev/null || return 1
    { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || return 1
    # Of the fields after the name, which may contain any character, the first is the state and the 20th the start time.
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    # A killed process has no program, but may remain in /proc for a while.
    [ "$host" = "$this_host" ] && [ "$1" != Z ] && [ "$1" != X ] && [ "${20}" = "$start_time" ] && [ -e "/proc/$pid/exe" ]
}
# Whether $1 is the id of a task in the queue.
is_task_id() {
    case $1 in
        *[!A-Za-z0-9_]* | "") return 1 ;;
    esac
    [ -e "$queue/tasks/$1" ]
}
# Waits until task $1 ends, at most $2 seconds, as TaskQueue.awaitEnd does.
wait_for_end() {
    is_number "$2" && mkdir -p "$queue/unreported" || return 1
    # The remaining steps of 0.2 s. After the end of another task, wait at most one more second.
    left=$(($2 * 5))
    is_end_unreported && left=0
    while { read -r status _ <"$queue/tasks/$1"; } 2>/dev/null && is_manager_alive && [ "$left" -gt 0 ]; do
        case $status in
            success | failed) break ;;
        esac
        sleep 0.2
        left=$((left - 1))
        if [ "$left" -gt 5 ] && is_end_unreported; then left=5; fi
    done
    case $status in
        success | failed) rm -f "$queue/unreported/$1.later" "$queue/unreported/$1" ;;
    esac
}
# Whether a task ended within the last minute whose state no caller has queried since.
is_end_unreported() {
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
# Prints the status of task $1 for 'sheaf task-status'; fails if only Java can determine it.
print_task_status() {
    has_default_settings && is_task_id "$1" || return 1
    { read -r status _ <"$queue/tasks/$1"; } 2>/dev/null || return 1
    case $status in
        success | failed) ;;
        waiting | running)
            is_manager_alive || return 1
            status=running
            ;;
        *) return 1 ;;
    esac
    echo "$status"
}
is_number() {
    case $1 in
        *[!0-9]* | "" | ???????*) return 1 ;;
    esac
}
# Whether the inbox contains fewer than 1,000 control requests.
has_inbox_room() {
    set -- "$queue"/run/inbox/*.request
    [ $# -lt 1000 ]
}
# Records the program that submits one task after the other, such as Snakemake: the nearest ancestor in this session that is not
# a shell. While that program is alive, the manager expects more tasks and keeps nodes. Once it has ended, gathered tasks are due.
record_submitter() {
    ancestor=$PPID session=
    { read -r stat <"/proc/$$/stat"; } 2>/dev/null || return 0
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    session=$4
    while { read -r stat <"/proc/$ancestor/stat"; } 2>/dev/null; do
        name=${stat%)*}
        # shellcheck disable=SC2086
        set -- ${stat##*) }
        case ${name#*(} in
            sh | dash | bash | ash | ksh | zsh | fish) ancestor=$2 ;;
            *)
                [ "$4" = "$session" ] || return 0
                echo "$host $ancestor ${20} $id" >>"$queue/run/inbox/from-$ancestor-${20}"
                return
                ;;
        esac
    done
}
# Submits the task of a 'sheaf submit-task' command line and prints its id; fails without effect if Java must do it.
submit_task() {
    shift
    has_default_settings && { is_manager_alive || is_manager_starting; } && [ "$form" = "sheaf-task 1" ] && has_inbox_room || return 1
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
                    is_task_id "$2" || return 1
                    after="$after $2"
                    shift
                done
                shift
                continue
                ;;
            # Options of the queue have an effect only when it is created.
            --on | --partition | --nodes | --cores-per-node | --strategy | --gather | --hold | --idle | --queue-interval)
                [ "${2#-}" = "$2" ] || return 1
                ;;
            *) return 1 ;;
        esac
        shift 2
    done
    [ $# -gt 1 ] && [ "$1" = -- ] || return 1
    shift
    [ "$cores" -ge 1 ] && [ "$cores" -le "$max_cores" ] && [ "$nodes" -ge 1 ] && [ "$nodes" -le "$max_nodes" ] || return 1
    { read -r uuid </proc/sys/kernel/random/uuid; } 2>/dev/null || return 1
    id=${uuid##*-}
    id=${uuid%%-*}${id%????}
    microseconds=$(date +%s%6N) && folder=$(pwd -P) || return 1
    case $microseconds in
        *[!0-9]* | "") return 1 ;;
    esac
    case $1 in
        */*) script=$1 ;;
        *) script=./$1 ;;
    esac
    if [ "$script" = "$1" ] || [ -e "$script" ]; then
        # The queue keeps a copy: the script may change or be removed.
        [ -f "$script" ] && mkdir -p "$queue/scripts" && install -m 700 "$script" "$queue/scripts/$id" 2>/dev/null || return 1
        shift
        set -- "$folder/$queue/scripts/$id" "$@"
    fi
    [ -d "$queue/run/inbox" ] || mkdir -p "$queue/run/inbox" || return 1
    record_submitter
    # Write the request under a temporary name, make it durable, then rename it: it is complete or absent.
    temporary=$queue/run/inbox/000$microseconds-$id.tmp
    echo waiting >"$queue/tasks/$id" &&
        printf '%s\0' "sheaf-task 1" "$id" "$folder" "$category" "$cores" "$memory" "$nodes" "$time" "$retries" "$after" "$@" \
            >"$temporary" &&
        sync "$temporary" && mv "$temporary" "${temporary%.tmp}.request" || {
        rm -f "$temporary" "$queue/tasks/$id" "$queue/scripts/$id"
        return 1
    }
    # The task is submitted: from here on, this function must succeed, so that Java does not submit it a second time.
    sync "$queue/run/inbox" || sync
    # A running or starting manager reads the inbox. If there is none, Java starts one.
    is_manager_alive || is_manager_starting || is_manager_alive || "$0" task-status --queue "$queue" "$id" >/dev/null
    echo "$id"
}
case ${1:-} in
    task-status)
        [ $# -eq 2 ] && print_task_status "$2" && exit 0
        if [ $# -eq 4 ] && [ "$2" = --wait ] && [ "${3%s}" != "$3" ] && has_default_settings && is_task_id "$4"; then
            wait_for_end "$4" "${3%s}" && print_task_status "$4" && exit 0
        fi
        ;;
    submit-task) submit_task "$@" && exit 0 ;;
esac

# The file that contains the jar: this script with symbolic links resolved.
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
# Java: lib/modules is a file in a Java image, but a folder of kernel modules in /usr.
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

# Java's version, from the file 'release': running 'java -version' takes as long as starting Sheaf.
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

# Java decodes file names with the locale's character set. In the C locale it cannot open "données.json".
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*8) ;;
    *) unset LC_ALL; LC_CTYPE=C.UTF-8; export LC_CTYPE ;;
esac

# The class-data archive. Java executes its code, so it must be in a folder of this user and must belong to this user.
cache=${SHEAF_CACHE:-${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}}
[ -n "${SHEAF_CACHE:-}" ] || cache=${cache:+$cache/sheaf}
# An archive is valid for one build of Sheaf and one Java version; its name contains both. Java checks it, too.
stamp=$(stat -Lc %s-%Y "$self" 2>/dev/null || stat -Lf %z-%m "$self" 2>/dev/null)
archive=$cache/$stamp-$version.jsa
if [ -n "$cache" ] && [ ! -f "$archive" ] && [ "${SHEAF_NO_ARCHIVE:-}" = "" ] && (umask 077 && mkdir -p "$cache") 2>/dev/null; then
    new_archive=$archive.$$
    "$java" -XX:ArchiveClassesAtExit="$new_archive" -Xlog:disable -XX:+UseSerialGC -jar "$self" warm-up \
        >/dev/null 2>&1 </dev/null || rm -f "$new_archive"
    if [ -f "$new_archive" ]; then
        find "$cache" -name '*.jsa' -mtime +30 -exec rm -f {} + 2>/dev/null
        mv -f "$new_archive" "$archive" 2>/dev/null || rm -f "$new_archive"
    fi
fi
# Short commands end before the second compiler of Java pays off.
case ${1:-} in
    submit-task | task-status | task-cancel) java_flags=-XX:TieredStopAtLevel=1 ;;
    # Reading a large workflow leaves much garbage. A small initial heap makes Java collect it.
    run | resume) java_flags=-Xms32m ;;
    *) java_flags= ;;
esac
# Progress and colours are for terminals only. Java itself cannot detect a terminal.
set -- -jar "$self" "$@"
if [ -t 2 ]; then set -- -Dsheaf.terminal=true "$@"; fi
if [ -t 1 ]; then set -- -Dsheaf.terminal.out=true "$@"; fi
if [ -f "$archive" ] && [ -O "$archive" ]; then
    set -- -XX:SharedArchiveFile="$archive" "$@"
fi
# Messages of the JDK are in English, as those of Sheaf are.
# shellcheck disable=SC2086
exec "$java" -Duser.language=en -Duser.country=US -Xlog:disable -XX:+UseSerialGC -XX:-UsePerfData $java_flags ${JAVA_OPTS:-} "$@"
exit 1
