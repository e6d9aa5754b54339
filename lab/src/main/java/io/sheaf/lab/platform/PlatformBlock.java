package io.sheaf.lab.platform;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.platform.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs on one platform: workflows × strategies × seeds; an item is a workflow and a seed.
 *
 * @param model the name of the model in the table
 * @param source creates the outcomes of these runs, with what they share
 */
record PlatformBlock(
        Platform platform,
        String model,
        List<WorkflowInstance> workflows,
        List<PlatformStrategy> strategies,
        List<Long> seeds,
        Supplier<Outcomes> source)
        implements RunBlock {
    static final List<String> COLUMNS = RowColumns.table(
            List.of("platform", "model"),
            WorkflowInstance.COLUMNS.names(),
            List.of("strategy", "seed"),
            PlatformOutcome.COLUMNS.names());

    /** Where outcomes come from: a simulation or published tables. Called by several threads. */
    interface Outcomes {
        PlatformOutcome of(int workflow, PlatformStrategy strategy, long seed);
    }

    @Override
    public List<String> names() {
        return workflows.stream().map(WorkflowInstance::name).toList();
    }

    @Override
    public int repeats() {
        return seeds.size();
    }

    @Override
    public long seed() {
        return 0;
    }

    @Override
    public String identity() {
        return platform + model + seeds + WorkflowInstance.identity(workflows);
    }

    @Override
    public Supplier<ItemRunner> prepare(int[] items) {
        Outcomes outcomes = source.get();
        return () -> item -> rows(outcomes, item / seeds.size(), seeds.get(item % seeds.size()));
    }

    private List<String> rows(Outcomes outcomes, int workflow, long seed) {
        String beginning = Csv.quoted(platform.name()) + "," + model + ","
                + WorkflowInstance.COLUMNS.row(workflows.get(workflow)) + ",";
        List<String> rows = new ArrayList<>();
        for (PlatformStrategy strategy : strategies) {
            PlatformOutcome outcome = outcomes.of(workflow, strategy, seed);
            rows.add(beginning + Csv.quoted(strategy.name()) + "," + seed + "," + PlatformOutcome.COLUMNS.row(outcome));
        }
        return rows;
    }
}
