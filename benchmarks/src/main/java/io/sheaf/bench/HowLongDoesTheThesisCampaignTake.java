package io.sheaf.bench;

import com.sun.management.OperatingSystemMXBean;
import io.sheaf.formats.Source;
import io.sheaf.formats.dax.DaxReader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.sim.campaign.CampaignResults;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long does the campaign of the GLUME thesis take? 36 workflows (three of them generated, since their files are not published), 289 starts, the KTH
 * and SDSC logs, accurate and requested times, 5 strategies: 208,080 runs. Prints the processor time of the process and the elapsed time.
 *
 * <p>Arguments: k for every k-th start (1 for all), with the time of all starts extrapolated; the number of threads; {@code thesis} or
 * {@code thesis-contiguous}; the strategies, separated by commas, if not all five. {@code --out FILE} writes the runs as a table; the times printed do not include it. SHEAF_SHARED names
 * the folder with the logs and workflows.
 */
public final class HowLongDoesTheThesisCampaignTake {
    private static final int STARTS = 289;
    private static final long HALF_HOUR = 1_800_000;
    private static final long FIRST = 48 * HALF_HOUR;
    private static final int CAP = 16;
    private static final String STRATEGIES = "onejob,onejobpertask,levelbylevel,zhang,glume";
    private static final String COLUMNS =
            "run,log,estimates,workflow,start_seconds,strategy,completed,makespan_seconds,"
                    + "lower_bound_seconds,wait_seconds,perceived_wait_seconds,held_node_seconds,used_node_seconds,jobs,expired,reruns\n";

    private HowLongDoesTheThesisCampaignTake() {}

    public static void main(String[] args) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(args));
        int out = arguments.indexOf("--out");
        Path table = out < 0 ? null : Path.of(arguments.remove(out + 1));
        if (out >= 0) {
            arguments.remove(out);
        }
        int every = Integer.parseInt(arguments.get(0));
        int threads = Integer.parseInt(arguments.get(1));
        Conventions conventions = arguments.size() > 2 && arguments.get(2).equals("thesis-contiguous")
                ? Conventions.THESIS_CONTIGUOUS
                : Conventions.THESIS;
        List<String> strategies = List.of((arguments.size() > 3 ? arguments.get(3) : STRATEGIES).split(",", -1));
        Path shared = Measure.shared();
        List<Workflow> workflows = workflows(shared.resolve("data/workflows/dax"));
        StringBuilder rows = new StringBuilder(COLUMNS);
        double all = 0;
        double wall = 0;
        long runs = 0;
        for (Estimates estimates : Estimates.values()) {
            for (String name : List.of("KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz")) {
                SwfLog log = SwfReader.strict()
                        .read(Source.of(shared.resolve("data/workloads").resolve(name)));
                double before = cpuSeconds();
                long began = System.nanoTime();
                int nodes = name.startsWith("KTH") ? 100 : 128;
                CampaignResults results = campaign(log, nodes, estimates, conventions, every, workflows, strategies)
                        .run(threads, (done, count) -> {});
                double cpu = cpuSeconds() - before;
                wall += (System.nanoTime() - began) / 1e9;
                long made = (long) results.starts() * workflows.size() * strategies.size();
                String setting = name.substring(0, 8) + "," + estimates.name().toLowerCase(Locale.ROOT);
                print(setting.replace(',', ' '), made, cpu);
                if (table != null) {
                    append(rows, runs, setting, every, results);
                }
                all += cpu;
                runs += made;
            }
        }
        print("together", runs, all);
        double whole = 4.0 * workflows.size() * STARTS * strategies.size() / runs;
        Measure.print(
                "%.0f s elapsed with %d threads; the whole campaign: %.0f s of processor time",
                wall, threads, all * whole);
        if (table != null) {
            Files.writeString(table, rows);
        }
    }

    /** Adds a row for each run: by workflow, start and strategy. */
    private static void append(StringBuilder rows, long before, String setting, int every, CampaignResults results) {
        long number = before;
        for (int workflow = 0; workflow < results.workflows().size(); workflow++) {
            for (int start = 0; start < results.starts(); start++) {
                for (int strategy = 0; strategy < results.strategies().size(); strategy++) {
                    SimulatedRun run = results.run(workflow, strategy, start);
                    long makespan =
                            run.completed() ? results.makespanMillis(workflow, strategy, start) : run.makespanMillis();
                    List<Object> fields = List.of(
                            ++number,
                            setting,
                            results.workflows().get(workflow).name(),
                            seconds(FIRST + (long) start * every * HALF_HOUR),
                            results.strategies().get(strategy),
                            run.completed() ? 1 : 0,
                            seconds(makespan),
                            seconds(results.lowerBoundMillis(workflow, start)),
                            seconds(run.waitMillis()),
                            seconds(run.perceivedWaitMillis()),
                            seconds(run.allocatedNodeMillis()),
                            seconds(run.usedNodeMillis()),
                            run.jobsSubmitted(),
                            run.jobsExpired(),
                            run.tasksRerun());
                    rows.append(fields.stream().map(String::valueOf).collect(Collectors.joining(",")));
                    rows.append('\n');
                }
            }
        }
    }

    private static String seconds(long millis) {
        return DecimalText.fixed(millis / 1000.0, 3);
    }

    private static void print(String label, long runs, double cpu) {
        Measure.print("%s: %d runs, %.1f s of processor time, %.2f ms a run", label, runs, cpu, 1000 * cpu / runs);
    }

    private static double cpuSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }

    private static Campaign campaign(
            SwfLog log,
            int nodes,
            Estimates estimates,
            Conventions conventions,
            int every,
            List<Workflow> workflows,
            List<String> strategies) {
        long[] starts = new long[(STARTS + every - 1) / every];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = FIRST + (long) i * every * HALF_HOUR;
        }
        TraceRules rules = TraceRules.forNodes(nodes)
                .with(conventions.cancelled())
                .with(conventions.loader())
                .with(estimates);
        var setup = SimulationSetup.of(conventions.profile(), Resources.node(1), CAP);
        return new Campaign(
                rules.apply(log).jobs(),
                conventions.policy(),
                nodes,
                starts,
                conventions,
                setup,
                workflows,
                strategies,
                KnownTimes.GIVEN,
                false);
    }

    private static List<Workflow> workflows(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".dax"))
                    .sorted()
                    .toList();
        }
        List<Workflow> workflows = new ArrayList<>();
        for (Path file : files) {
            workflows.add(new DaxReader().read(Source.of(file), false));
        }
        for (long hours : new long[] {100, 500, 1000}) {
            workflows.add(Families.named("sipht").generate(Recipe.of(484, hours * 3_600_000_000L, 1)));
        }
        return workflows;
    }
}
