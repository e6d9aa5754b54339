# Runs a Nextflow task on a compute node: bash launch.sh WORK-DIRECTORY [DISK-KB DISK-DIRECTORY]
cd "$1" || exit 1
if [ -e .command.begin ]; then
    # The pilot job of an earlier attempt was lost. Remove all files except those that Nextflow wrote.
    find . -mindepth 1 -maxdepth 1 ! -name .command.run ! -name .command.sh ! -name .command.stage ! -name .command.in -exec rm -rf {} +
fi
if [ $# -gt 1 ]; then
    disk=${3:-${TMPDIR:-/tmp}}
    free=$(df -Pk "$disk" | awk 'NR == 2 { print $4 }')
    if [ "${free:-0}" -lt "$2" ]; then
        echo "nf-sheaf: $(hostname):$disk has ${free:-no known} KB of free disk space, the task requests $2 KB" | tee .command.err >.command.log
        printf 28 >.exitcode
        exit 28
    fi
fi
exec /bin/bash -ue .command.run >.command.log 2>&1
