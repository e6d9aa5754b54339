package io.sheaf.agent;

import io.sheaf.agent.protocol.TaskFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs a program in a container with the engine that is installed on the node: Apptainer, Singularity, Podman or Docker.
 *
 * <p>The command is a bash script that pulls a missing image and then executes the engine. So a pull is part of the attempt
 * and ends with it. Apptainer keeps the image in the run's folder, once for all nodes; Podman and Docker
 * keep it on the node. The container has the working folder, the folders of inputs elsewhere, and the environment, apart from
 * variables that describe the host.
 */
final class Containers {
    /** Inputs whose folders are bound. */
    private static final int MAX_INPUTS = 1_000;

    private static final String SCRIPT = """
            set -eu
            image=$1 images=$2 folder=$3
            shift 3
            binds=("$folder")
            while [ "$1" != -- ]; do binds+=("$1"); shift; done
            shift
            [ ! -e "$folder/$image" ] || image=$folder/$image
            candidates="apptainer singularity podman docker"
            [ ! -e "$image" ] || candidates="apptainer singularity"
            engine=${SHEAF_CONTAINER_ENGINE:-}
            for each in $candidates; do
              [ -n "$engine" ] || ! command -v "$each" > /dev/null || engine=$each
            done
            if [ -z "$engine" ]; then
              echo "sheaf: no container engine for '$image' on this node; install or load one of: $candidates" >&2
              exit 127
            fi
            mkdir -p "$images"
            name=$(printf %s "$image" | tr -c 'A-Za-z0-9_.-' _)
            case $engine in
            *apptainer|*singularity)
              if [ ! -e "$image" ]; then
                case $image in *://*) ;; *) image=docker://$image ;; esac
                ( flock 9
                  [ -e "$images/$name.sif" ] ||
                    { "$engine" pull "$images/$name.part" "$image" >&2 && mv "$images/$name.part" "$images/$name.sif"; }
                ) 9> "$images/$name.lock"
                image=$images/$name.sif
              fi
              args=(exec --pwd "$PWD")
              [ -z "${CUDA_VISIBLE_DEVICES:-}" ] || args+=(--nv)
              for each in "${binds[@]}"; do args+=(--bind "$each"); done
              ;;
            *)
              image=${image#docker://}
              ( flock 9
                "$engine" image inspect "$image" > /dev/null 2>&1 || "$engine" pull "$image" >&2
              ) 9> "$images/$name.$(hostname).lock"
              args=(run --rm --network host --workdir "$PWD" --entrypoint "")
              case $engine in
              *podman) [ "$(id -u)" = 0 ] || args+=(--userns keep-id) ;;
              *) args+=(--user "$(id -u):$(id -g)") ;;
              esac
              for each in "${binds[@]}"; do args+=(--volume "$each:$each"); done
              for each in $(compgen -e); do
                case $each in
                PATH|HOME|PWD|OLDPWD|SHLVL|HOSTNAME|TMPDIR|_|LD_*|XDG_*|CONTAINERS_*|DOCKER_*|BASH_FUNC*) ;;
                *) args+=(--env "$each") ;;
                esac
              done
              ;;
            esac
            exec "$engine" "${args[@]}" "$image" "$@"
            """;

    private Containers() {}

    /**
     * The words that run a program in a container; the program follows.
     *
     * @param folder where it runs
     * @param script a file that it must see, beside its log
     */
    static List<String> words(String image, TaskFiles files, Path folder, Path script) {
        Path logs = script.resolveSibling("");
        List<String> words = new ArrayList<>(List.of(
                "bash", "-c", SCRIPT, "container", image, logs.resolve("images").toString(), files.folder()));
        Set<Path> binds = new LinkedHashSet<>(List.of(folder, logs));
        Path base = Path.of(files.folder());
        List<String> names = new ArrayList<>(files.inputs());
        names.addAll(files.outputs());
        for (String name : names.subList(0, Math.min(MAX_INPUTS, names.size()))) {
            binds.add(holding(base.resolve(name).toAbsolutePath()));
        }
        binds.removeIf(bind -> bind.startsWith(base));
        binds.forEach(bind -> words.add(bind.toString()));
        words.add("--");
        return words;
    }

    /** The folder in which a file really is, or will be. */
    private static Path holding(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath().resolveSibling("") : file.resolveSibling("");
        } catch (IOException e) {
            return file.resolveSibling("");
        }
    }
}
