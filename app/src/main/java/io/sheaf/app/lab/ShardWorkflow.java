package io.sheaf.app.lab;

import io.sheaf.app.cli.OwnCommand;
import io.sheaf.lab.Lab;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment as a workflow in its folder: one task per shard and a final one that merges.
 *
 * <p>A shard with incomplete runs succeeds; the table lists them. After an interruption, the next attempt of a shard
 * continues from its folder.
 */
final class ShardWorkflow {
    private static final String PLACE = "shards/";

    /**
     * Runs a shard and marks it as done if it has its table; otherwise exits with its status. {@code $0} is its
     * folder, the arguments are the command.
     */
    private static final String SCRIPT =
            "\"$@\"; s=$?; [ $s -le 1 ] && [ -f \"$0/" + Lab.TABLE + "\" ] && : >\"$0.done\" || exit $s";

    private static final long MERGE_MICROS = 20_000_000;

    private ShardWorkflow() {}

    /**
     * Creates the workflow.
     *
     * @param run the command of a shard, without {@code --shard}, {@code --threads} and its folder
     * @param threads the threads and cores of each shard
     * @param shardMicros the expected run time of each
     */
    static Workflow of(String name, List<String> run, int shards, int threads, long shardMicros) {
        WorkflowBuilder made = new WorkflowBuilder(name).fileEdges(true);
        int[] marks = new int[shards];
        List<String> merge = new ArrayList<>(List.of("lab", "merge"));
        for (int i = 1; i <= shards; i++) {
            String place = PLACE + i;
            merge.add(place);
            int task = made.task("shard" + i);
            List<String> words = new ArrayList<>(run);
            words.addAll(List.of("--shard", i + "/" + shards, "--threads", "" + threads, "-o", place));
            List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, place));
            line.addAll(OwnCommand.lasting(words.toArray(String[]::new)));
            made.command(task, Command.of(line));
            made.time(task, shardMicros);
            made.resources(task, new Resources(threads, 0, 0, 1));
            marks[i - 1] = made.file(place + ".done", 0);
            made.output(task, marks[i - 1]);
        }
        int last = made.task("merge");
        merge.addAll(List.of("-o", "."));
        made.command(last, Command.of(OwnCommand.words(merge.toArray(String[]::new))));
        made.time(last, MERGE_MICROS);
        for (int mark : marks) {
            made.input(last, mark);
        }
        made.output(last, made.file(Lab.TABLE, 0));
        return made.build();
    }

    static int shards(Workflow workflow) {
        return workflow.size() - 1;
    }
}
