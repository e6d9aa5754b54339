package io.sheaf.bench;

import com.sun.management.OperatingSystemMXBean;
import io.sheaf.formats.Source;
import io.sheaf.formats.dax.DaxReader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.sim.campaign.Campaign;
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
import java.util.stream.Stream;

/**
 * How long does the campaign of the GLUME thesis take? 36 workflows (three of them generated, since their files are not published), 289 starts, the KTH
 * and SDSC logs, accurate and requested times, 5 strategies: 208,080 runs. Told are the processor time of the whole process and the time on the wall.
 *
 * <p>Arguments: 1 for all starts, k for every k-th, with the time of all of them extrapolated; how many threads; {@code thesis} or
 * {@code thesis-contiguous}; and which strategies, with commas between, if not all five. The folder is the one that SHEAF_SHARED names.
 */
public final class HowLongDoesTheThesisCampaignTake {
    private static final int STARTS = 289;
    private static final long HALF_HOUR = 1_800_000;
    private static final long FIRST = 48 * HALF_HOUR;
    private static final int CAP = 16;
    private static final String STRATEGIES = "onejob,onejobpertask,levelbylevel,zhang,glume";

    private HowLongDoesTheThesisCampaignTake() {}

    public static void main(String[] args) throws IOException {
        int every = Integer.parseInt(args[0]);
        int threads = Integer.parseInt(args[1]);
        Conventions conventions = args.length > 2 && args[2].equals("thesis-contiguous")
                ? Conventions.THESIS_CONTIGUOUS
                : Conventions.THESIS;
        List<String> strategies = List.of((args.length > 3 ? args[3] : STRATEGIES).split(",", -1));
        Path shared = Path.of(System.getenv().getOrDefault("SHEAF_SHARED", "../shared"));
        List<Workflow> workflows = workflows(shared.resolve("data/workflows/dax"));
        double all = 0;
        double wall = 0;
        long runs = 0;
        for (Estimates estimates : Estimates.values()) {
            for (String name : List.of("KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz")) {
                SwfLog log = SwfReader.strict()
                        .read(Source.of(shared.resolve("data/workloads").resolve(name)));
                double before = cpuSeconds();
                long began = System.nanoTime();
                long made = run(
                        log,
                        name.startsWith("KTH") ? 100 : 128,
                        estimates,
                        conventions,
                        every,
                        threads,
                        workflows,
                        strategies);
                double cpu = cpuSeconds() - before;
                wall += (System.nanoTime() - began) / 1e9;
                print(name.substring(0, 8) + " " + estimates.name().toLowerCase(Locale.ROOT), made, cpu);
                all += cpu;
                runs += made;
            }
        }
        print("together", runs, all);
        double whole = 4.0 * workflows.size() * STARTS * strategies.size() / runs;
        System.out.printf(
                Locale.ROOT,
                "%.0f s on the wall with %d threads; the whole campaign: %.0f s of processor time%n",
                wall,
                threads,
                all * whole);
    }

    private static void print(String what, long runs, double cpu) {
        System.out.printf(
                Locale.ROOT,
                "%s: %d runs, %.1f s of processor time, %.2f ms a run%n",
                what,
                runs,
                cpu,
                1000 * cpu / runs);
    }

    private static double cpuSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }

    private static long run(
            SwfLog log,
            int nodes,
            Estimates estimates,
            Conventions conventions,
            int every,
            int threads,
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
        var setup = new SimulationSetup(conventions.profile(), 1, CAP, TaskTimes.AS_EXPECTED, false);
        new Campaign(
                        rules.apply(log).jobs(),
                        conventions.policy(),
                        nodes,
                        starts,
                        conventions,
                        setup,
                        workflows,
                        strategies)
                .run(threads, (runs, all) -> {});
        return (long) starts.length * workflows.size() * strategies.size();
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
