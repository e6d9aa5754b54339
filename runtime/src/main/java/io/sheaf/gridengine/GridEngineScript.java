package io.sheaf.gridengine;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.PilotJobScript;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * The submission of a pilot job: the arguments of {@code qsub}, and the script that the last one names.
 *
 * <p>Grid Engine runs a script by a login shell, whose profile may take long or fail. The submission therefore names
 * a program, which Grid Engine runs without a shell; {@code -V} passes the environment on.
 *
 * <p>A Sheaf node is a fixed number of slots on one host. The script starts agents on its own host as children, and on
 * other hosts with {@code qrsh -inherit}.
 */
record GridEngineScript(PilotJobScript common, QsubOptions options, Consumables consumables) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss").withZone(ZoneId.systemDefault());

    GridEngineScript(PilotJobScript run, Consumables consumables) {
        this(run, QsubOptions.of(run.options()), consumables);
    }

    /** Rounds to Grid Engine's whole seconds. */
    static long seconds(long millis) {
        return (millis + 999) / 1000;
    }

    /**
     * The arguments of the submission.
     *
     * @param notBefore the earliest start, in milliseconds; 0 for none
     * @param afterJob the job that must end first; −1 if there is none
     */
    List<String> submission(long token, Request request, long notBefore, long afterJob) {
        List<String> words =
                new ArrayList<>(List.of("qsub", "-terse", "-N", common.shownName(token), "-V", "-r", "n", "-wd", "/"));
        List<String> more = consumables.requests(request, common.cores(), options.resources());
        String limits = options.limits(seconds(request.walltime()), more, request.without());
        words.addAll(List.of("-o", "/dev/null", "-j", "y", "-l", limits));
        if (!options.environment().isEmpty()) {
            words.addAll(List.of("-pe", options.environment(), Integer.toString(request.units() * common.cores())));
        }
        if (notBefore > 0) {
            words.addAll(List.of("-a", TIME.format(Instant.ofEpochMilli(notBefore + 999))));
        }
        if (afterJob >= 0) {
            words.addAll(List.of("-hold_jid", Long.toString(afterJob)));
        }
        words.addAll(options.rest());
        words.addAll(program(common.folder(token).script()));
        return words;
    }

    /** The last arguments of a submission: bash runs a script, and no shell starts it. */
    static List<String> program(Path script) {
        return List.of("-b", "y", "-shell", "n", "/bin/bash", script.toString());
    }

    /** The script, with the submission's arguments as a comment. */
    String text(long token, Request request) {
        // The agent's own part is subtracted again.
        long mebibytes = consumables.mebibytes(request.node().memory()) == 0
                ? 0
                : PilotJobScript.mebibytes(request.node().memory());
        String agent = common.agent(
                token,
                "$2",
                Long.toString(seconds(request.walltime()) * 1000),
                Long.toString(mebibytes),
                request.node().gpus(),
                common.cores());
        return common.begin(token, submission(token, request, 0, -1), "$JOB_ID", "${RESTARTED:-0}")
                + """
                exec >> output 2>&1
                cat > agent <<'AGENT'
                %sAGENT
                # One name for each node: the slots of one host.
                hosts=()
                if [ -n "$PE_HOSTFILE" ]; then
                  while read -r host slots rest; do
                    for ((i = %d; i <= slots; i += %d)); do hosts+=("$host"); done
                  done < "$PE_HOSTFILE"
                else
                  hosts=("$HOSTNAME")
                fi
                [ ${#hosts[@]} -eq %d ] || { echo "slots for %d nodes were requested, allocated: ${hosts[*]}"; exit 1; }
                for node in "${!hosts[@]}"; do
                  # The first host is the one that this runs on.
                  if [ "${hosts[node]}" = "${hosts[0]}" ]; then
                    SHEAF_NODE_NAME=${hosts[node]} /bin/bash agent "$began" "$node" < /dev/null &
                  else
                    qrsh -inherit -nostdin "${hosts[node]}" /usr/bin/env SHEAF_NODE_NAME="${hosts[node]}" /bin/bash "$(printf %%q "$PWD/agent")" "$began" "$node" < /dev/null &
                  fi
                done
                # A signal that is caught ends a wait, not the agents.
                until wait; do :; done
                """.formatted(agent, common.cores(), common.cores(), request.units(), request.units())
                + PilotJobScript.END;
    }
}
