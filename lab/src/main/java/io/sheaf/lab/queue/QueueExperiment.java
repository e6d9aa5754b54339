package io.sheaf.lab.queue;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.UserLimits;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.ClusterEntry;
import io.sheaf.lab.experiment.ClusterSetup;
import io.sheaf.lab.experiment.Combination;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RequestAccuracy;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.WorkflowEntry;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.lab.experiment.WorkflowStarts;
import io.sheaf.lab.experiment.Workload;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.RunTimeDeviation;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Simulated runs of workflows on clusters with a batch queue, under several strategies. */
public final class QueueExperiment extends Experiment {
    private static final long HOUR = 3_600_000;

    private static final List<String> KEYS = List.of(
            "title",
            "about",
            "workflows",
            "clusters",
            "strategies",
            "baseline",
            "starts",
            "caps",
            "max-time",
            "max-nodes",
            "max-user-jobs",
            "max-user-nodes",
            "max-user-node-hours",
            "estimates",
            "profile",
            "cores-per-node",
            "task-times",
            "times",
            "repetitions",
            "seeds",
            "expected-starts",
            "background",
            "report",
            "quick");

    public static final ExperimentKind KIND = new ExperimentKind("clusters", "", KEYS, QueueExperiment::new);

    private static final List<String> COLUMNS = RowColumns.table(
            QueueSetting.COLUMNS.names(),
            WorkflowInstance.COLUMNS.names(),
            List.of("strategy"),
            QueueOutcome.COLUMNS.names());

    private static final int CAP = 16;

    private static final Resources ANY_NODE = Resources.node(Integer.MAX_VALUE);

    private final List<WorkflowEntry> workflows = new ArrayList<>();
    private final List<ClusterEntry> clusters = new ArrayList<>();
    private final WorkflowStarts starts;
    private final List<Integer> caps;
    private final List<JobLimits> limits = new ArrayList<>();
    private final List<UserLimits> userLimits = new ArrayList<>();
    private final List<RequestAccuracy> estimates;
    private final List<Conventions> profiles;
    private final List<Integer> coresPerNode;
    private final List<RunTimeDeviation> taskTimes;
    private final List<KnownTimes> knownTimes;
    private final List<Long> seeds;
    private final boolean expectedStarts;
    private final boolean background;

    QueueExperiment(Section section) {
        super(ComparisonSpec.read(section, QueueExperiment::normal), COLUMNS);
        Problems problems = section.problems();
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, problems)));
        section.maps("clusters").forEach(each -> clusters.add(ClusterEntry.read(each, problems)));
        starts = WorkflowStarts.of(section);
        caps = section.each("caps", List.of(CAP), Section.whole(1));
        List<Long> times = section.each("max-time", List.of(Long.MAX_VALUE), QueueExperiment::maxTime);
        List<Integer> nodes = section.each("max-nodes", List.of(Integer.MAX_VALUE), QueueExperiment::max);
        nodes.forEach(max -> times.forEach(time -> limits.add(new JobLimits(max, time))));
        List<Integer> userJobs = section.each("max-user-jobs", List.of(Integer.MAX_VALUE), QueueExperiment::max);
        List<Integer> userNodes = section.each("max-user-nodes", List.of(Integer.MAX_VALUE), QueueExperiment::max);
        List<Long> userTimes = section.each("max-user-node-hours", List.of(Long.MAX_VALUE), QueueExperiment::maxHours);
        userTimes.forEach(time -> userNodes.forEach(max ->
                userJobs.forEach(jobs -> userLimits.add(new UserLimits(jobs, max, time, UserLimits.LimitScope.OWN)))));
        estimates = section.each("estimates", List.of(RequestAccuracy.of("requested")), RequestAccuracy::of);
        profiles = section.each("profile", List.of(Conventions.OWN), Section.constant(Conventions.class));
        coresPerNode = section.each("cores-per-node", List.of(1), Section.whole(1));
        taskTimes = section.each("task-times", List.of(RunTimeDeviation.EXACT), RunTimeDeviation::of);
        knownTimes = section.each("times", List.of(KnownTimes.GIVEN), Section.constant(KnownTimes.class));
        seeds = ComparisonSpec.seeds(section);
        background = Boolean.parseBoolean(section.one("background", "false", Section.word("true", "false")));
        expectedStarts = Boolean.parseBoolean(section.one("expected-starts", "false", Section.word("true", "false")));
        ComparisonSpec.need(section, "workflows", "clusters", "strategies");
    }

    private static long maxTime(String text) {
        long millis = text.equals(QueueSetting.NONE) ? Long.MAX_VALUE : TimeText.millis(text);
        if (millis < 1) {
            throw new InputException("'" + text + "' is not a limit; write a time such as 6h, or none");
        }
        return millis;
    }

    private static long maxHours(String text) {
        return text.equals(QueueSetting.NONE)
                ? Long.MAX_VALUE
                : Section.whole(1).apply(text) * HOUR;
    }

    private static int max(String text) {
        return text.equals(QueueSetting.NONE)
                ? Integer.MAX_VALUE
                : Section.whole(1).apply(text);
    }

    /** The name of a strategy in the table: in lower case, without blanks. */
    private static String normal(String strategy) {
        return strategy.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        List<RunBlock> blocks = new ArrayList<>();
        Map<Long, List<WorkflowInstance>> instances = new HashMap<>();
        for (long seed : seeds) {
            List<WorkflowInstance> all = new ArrayList<>();
            workflows.forEach(entry -> all.addAll(entry.instances(inputs, seed)));
            WorkflowInstance.refuseSameNames(all, problems);
            instances.put(seed, all);
        }
        checkStrategies(instances.getOrDefault(seeds.get(0), List.of()), problems);
        for (ClusterEntry entry : clusters) {
            Map<Long, Workload> loads = new HashMap<>();
            for (long seed : seeds) {
                Workload load = entry.load(inputs, seed);
                if (load != null && entry.nodes(load) > 0) {
                    loads.put(seed, load);
                    instances.getOrDefault(seed, List.of()).forEach(each -> fits(each, entry, load, problems));
                }
            }
            if (problems.isEmpty()) {
                expand(entry, loads, instances, blocks);
            }
        }
        return blocks;
    }

    /** Adds a block for each combination of the parameters; seeds change fastest. */
    private void expand(
            ClusterEntry entry,
            Map<Long, Workload> loads,
            Map<Long, List<WorkflowInstance>> instances,
            List<RunBlock> blocks) {
        Workload first = loads.get(seeds.get(0));
        if (first == null) {
            return;
        }
        for (Conventions profile : profiles) {
            List<Integer> variants = IntStream.range(
                            0, entry.variants(first, profile).size())
                    .boxed()
                    .toList();
            long count = Combination.count(
                    seeds, limits, userLimits, caps, taskTimes, knownTimes, coresPerNode, estimates, variants);
            for (long number = 0; number < count; number++) {
                Combination combination = new Combination(number);
                long seed = combination.of(seeds);
                JobLimits limit = combination.of(limits);
                UserLimits userLimit = combination.of(userLimits);
                int cap = combination.of(caps);
                RunTimeDeviation times = combination.of(taskTimes);
                KnownTimes known = combination.of(knownTimes);
                int cores = combination.of(coresPerNode);
                RequestAccuracy accuracy = combination.of(estimates);
                ClusterSetup cluster = entry.variants(loads.getOrDefault(seed, first), profile)
                        .get(combination.of(variants))
                        .with(limit, userLimit);
                QueueSetting setting = new QueueSetting(
                        cluster, profile, accuracy, cores, times, known, cap, seed, expectedStarts, background);
                blocks.add(new QueueBlock(
                        setting, comparison().names(), instances.getOrDefault(seed, List.of()), starts.instants(seed)));
            }
        }
    }

    private void checkStrategies(List<WorkflowInstance> instances, Problems problems) {
        Workflow workflow = instances.isEmpty()
                ? Families.named("chain").generate(Recipe.of(1, 1_000_000, 0))
                : instances.get(0).workflow();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), Integer.MAX_VALUE);
        for (Text strategy : comparison().strategies()) {
            problems.get(strategy.place(), () -> {
                Campaign.check(strategy.text(), times, Profile.OWN);
                return times;
            });
        }
    }

    /** The limits of a job, with and without those of our user. */
    private List<JobLimits> smallest() {
        return limits.stream()
                .flatMap(limit -> userLimits.stream().map(each -> limit.and(each.ofJob())))
                .distinct()
                .toList();
    }

    private void fits(WorkflowInstance instance, ClusterEntry entry, Workload load, Problems problems) {
        int nodes = entry.nodes(load);
        for (JobLimits limit : smallest()) {
            try {
                limit.check(instance.workflow().fitting(ANY_NODE, limit.units(), limit.walltime()));
            } catch (InputException e) {
                problems.add(e);
                return;
            }
        }
        for (int cores : coresPerNode) {
            Workflow workflow = instance.workflow().fitting(Resources.node(cores), nodes, Long.MAX_VALUE);
            for (int task = 0; task < workflow.size(); task++) {
                var needed = workflow.resources(task);
                if (needed.nodes() > nodes || needed.cores() > cores) {
                    problems.add(new InputException("task '" + workflow.id(task) + "' of workflow '" + instance.name()
                            + "' needs " + needed.nodes() + " nodes of " + needed.cores() + " cores, cluster '"
                            + entry.name() + "' has " + nodes + " of " + cores + ". Maybe split it, or leave it out"));
                    return;
                }
            }
        }
    }
}
