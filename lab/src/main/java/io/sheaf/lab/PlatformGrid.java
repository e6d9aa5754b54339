package io.sheaf.lab;

import io.sheaf.platform.Platform;
import java.util.List;

/** Workflows on one platform, each with every arm for every seed; an item is a workflow and a seed. */
abstract sealed class PlatformGrid implements Block permits PlatformBlock, PublishedBlock {
    final Platform platform;
    final List<Subject> subjects;
    final List<Arm> arms;
    private final String model;
    private final List<Long> seeds;

    /**
     * A grid.
     *
     * @param model as the table's column says
     */
    PlatformGrid(Platform platform, String model, List<Subject> subjects, List<Arm> arms, List<Long> seeds) {
        this.platform = platform;
        this.model = model;
        this.subjects = subjects;
        this.arms = arms;
        this.seeds = seeds;
    }

    @Override
    public final List<String> names() {
        return subjects.stream().map(Subject::name).toList();
    }

    @Override
    public final int repeats() {
        return seeds.size();
    }

    @Override
    public final long seed() {
        return 0;
    }

    @Override
    public final String identity() {
        return platform + model + seeds + Subject.identity(subjects);
    }

    final int subject(int item) {
        return item / seeds.size();
    }

    final long seed(int item) {
        return seeds.get(item % seeds.size());
    }

    final String row(int item, Arm arm, String outcome) {
        return PlatformTable.parameters(platform, model, subjects.get(subject(item)), arm, seed(item)) + "," + outcome;
    }
}
