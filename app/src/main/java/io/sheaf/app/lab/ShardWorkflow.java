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
 * An experiment as a workflow in its folder: a task for each shard, and behind them one that merges.
 *
 * <p>A shard some of whose runs could not complete is done all the same; the table tells. What a shard was in the middle of when it was cut off is
 * in its folder, from which the next attempt goes on.
 */
final class ShardWorkflow {
    private static final String PLACE = "shards/";

    /** Notes that a shard has its table; its status otherwise. Its folder is {@code $0}, the command the words behind. */
    private static final String SCRIPT =
            "\"$@\"; s=$?; [ $s -le 1 ] && [ -f \"$0/" + Lab.TABLE + "\" ] && : >\"$0.done\" || exit $s";

    private static final long MERGE_MICROS = 20_000_000;

    private ShardWorkflow() {}

    /**
     * The workflow.
     *
     * @param run what starts a shard, but for {@code --shard}, {@code --threads} and its folder
     * @param threads of each shard, and the cores that it needs
     * @param shardMicros how long each is expected to take
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

    /** How many shards such a workflow has. */
    static int shards(Workflow workflow) {
        return workflow.size() - 1;
    }
}
