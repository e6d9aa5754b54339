package io.sheaf.gridengine;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SnapshotForecast;
import io.sheaf.runtime.batch.SnapshotWhatIf;
import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.runtime.batch.SystemCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.NamedAmounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Grid Engine's commands, on the cluster that the environment selects. */
public final class GridEngineCommands extends SystemCommands {
    public static final BatchSystem SYSTEM = new BatchSystem(
            "gridengine",
            "Grid Engine",
            GridEngineCommands::words,
            "",
            List.of("SGE_"),
            Set.of(),
            GridEngineCommands::new);

    private static final Map<String, String> WORDS =
            Map.of("account", "-P", "partition", "-q", "constraint", "-l", "reservation", "-ar");

    /** Errors of the commands when qmaster or the network does not answer. */
    private static final List<String> UNREACHABLE_TEXTS = List.of(
            "commlib error",
            "unable to contact qmaster",
            "unable to send message to qmaster",
            "got no response",
            "failed receiving gdi request",
            "Connection refused");

    /**
     * How long a job that ran may be missing from accounting after it left the queue, since accounting is written with
     * a delay.
     */
    private static final long ACCOUNTING_NANOS = 20_000_000_000L;

    /** Hosts whose memory is queried; the others are assumed to have no more. */
    private static final int HOSTS = 64;

    private final Map<Long, Long> missedSince = new ConcurrentHashMap<>();
    private volatile @Nullable Consumables consumables;
    private Consumables.@Nullable MemoryPool memory;

    /** Creates the commands for the cluster that the environment selects. */
    public GridEngineCommands(Reach reach) {
        this(reach.environment(), runner(null, reach, CommandRunner.LIMIT_MILLIS), reach.user());
    }

    /** The same with another command runner. */
    GridEngineCommands(Map<String, String> environment, CommandRunner commands, String user) {
        super(
                SYSTEM,
                environment,
                commands,
                user,
                "qdel",
                environment.getOrDefault("SGE_ROOT", "") + ":" + environment.getOrDefault("SGE_CELL", ""));
    }

    /**
     * Runs Grid Engine's commands with these variables only.
     *
     * @param folder the folder of the commands; null to search the environment's PATH
     * @param limitMillis the timeout of each command
     */
    static CommandRunner runner(@Nullable Path folder, Reach reach, int limitMillis) {
        return new CommandRunner(folder, reach.environment(), Map.of(), limitMillis, UNREACHABLE_TEXTS, reach.prefix());
    }

    private static List<String> words(SubmissionTerms terms) {
        List<String> words = terms.words(SYSTEM.title(), WORDS);
        // Rejects invalid options before anything is created.
        QsubOptions.of(words);
        return words;
    }

    /** The user's jobs in {@code qstat}'s output. */
    String jobs() throws UnreachableException, InterruptedException {
        return printed("qstat", "-xml", "-u", user);
    }

    // --- the cluster ---

    /** The slots of the queues, and their layout in the options' parallel environment. */
    QueueSlots slots(QsubOptions options) throws IOException, InterruptedException {
        String rule = "";
        int maximum = 1;
        if (!options.environment().isEmpty()) {
            CommandRunner.Answer answer = commands.query("qconf", "-sp", options.environment());
            if (!answer.isGood()) {
                throw new InputException("-pe " + options.environment() + ": " + answer.why()
                        + ". Parallel environments: "
                        + String.join(", ", commands.query("qconf", "-spl").lines()));
            }
            rule = QueueSlots.attribute("allocation_rule", answer.out());
            maximum = Integer.parseInt(QueueSlots.attribute("slots", answer.out()));
        }
        return QueueSlots.of(printed("qstat", "-f", "-xml"), options, rule, maximum);
    }

    @Override
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        QueueSlots slots = slots(QsubOptions.of(options));
        Consumables counted = consumables();
        long memory = amounts(counted.memory(), slots.hosts()).max().orElse(0);
        long gpus = amounts(counted.gpus(), slots.hosts()).max().orElse(0);
        Nodes plain = slots.nodes();
        return new Nodes(plain.count(), plain.cores(), memory, (int) Math.min(gpus, 1024), NamedAmounts.NONE);
    }

    /** The consumables that stand for memory and GPUs; queried once. */
    private Consumables consumables() throws IOException, InterruptedException {
        Consumables known = consumables;
        if (known == null) {
            known = Consumables.parse(printed("qconf", "-sc"));
            consumables = known;
        }
        return known;
    }

    /** The consumables, queried only for a request of memory or GPUs. */
    private Consumables consumables(Request request) throws IOException, InterruptedException {
        boolean needs = request.node().memory() > 0 || request.node().gpus() > 0;
        return needs ? consumables() : new Consumables(null, null);
    }

    /** What each host has of a consumable, in bytes or pieces; empty if it is not counted. */
    private LongStream amounts(Consumables.@Nullable Consumable consumable, List<String> hosts)
            throws IOException, InterruptedException {
        LongStream.Builder amounts = LongStream.builder();
        for (String host : consumable == null ? List.<String>of() : hosts.subList(0, Math.min(HOSTS, hosts.size()))) {
            CommandRunner.Answer shown = commands.query("qconf", "-se", host);
            String amount = consumable == null || !shown.isGood() ? null : Consumables.amount(consumable, shown.out());
            if (amount != null) {
                amounts.add(SizeText.bytes(amount));
            }
        }
        return amounts.build();
    }

    /** The memory of the hosts that jobs may use, for estimates; queried once. */
    synchronized Consumables.MemoryPool memory(QsubOptions options) throws IOException, InterruptedException {
        Consumables.MemoryPool known = memory;
        if (known == null) {
            Consumables.Consumable counted = consumables().memory();
            List<String> hosts = slots(options).hosts();
            double mean = amounts(counted, hosts).average().orElse(0);
            known = counted == null
                    ? Consumables.MemoryPool.of("")
                    : new Consumables.MemoryPool(counted.name(), counted.perJob(), (long) (mean * hosts.size()));
            memory = known;
        }
        return known;
    }

    /** The bytes that a job requests on a node for these bytes of its tasks; the same before the consumables are known. */
    long requested(long ofTasks) {
        Consumables known = consumables;
        return known == null ? ofTasks : known.mebibytes(ofTasks) << 20;
    }

    /** The longest {@code h_rt} of the queues that jobs may use. */
    @Override
    public JobLimits limits(List<String> options, int cores) throws IOException, InterruptedException {
        QsubOptions requested = QsubOptions.of(options);
        long longest = 0;
        for (String queue : commands.query("qconf", "-sql").lines()) {
            CommandRunner.Answer shown = requested.takes(queue) ? commands.query("qconf", "-sq", queue) : null;
            longest = shown == null || !shown.isGood() ? longest : Math.max(longest, QueueSlots.runTime(shown.out()));
        }
        return longest == 0 ? JobLimits.NONE : new JobLimits(JobLimits.NONE.units(), longest);
    }

    @Override
    public void check(RunSpec spec) throws IOException, InterruptedException {
        if (spec.node().gpus() > 0 && consumables().gpus() == null) {
            throw new InputException(
                    "GPUs: this Grid Engine has no consumable 'gpu', 'gpus' or 'ngpus' (qconf -sc) to request them by;"
                            + " give --gpus-per-node 0, and the site's own name after --, e.g. -- -l cards=1");
        }
        slots(QsubOptions.of(spec.where().options()))
                .check(spec.nodes(), spec.node().cores());
    }

    @Override
    public List<Finding> findings(List<String> options, Path folder, long timeout) throws InterruptedException {
        return new GridEngineDoctor(this, options).findings(folder, timeout);
    }

    @Override
    public String queueFile() {
        return file("qstat");
    }

    @Override
    public String query() throws IOException, InterruptedException {
        String all = jobs();
        return all.contains("<state>h")
                ? all
                        + GridEngineAnswers.HELD
                        + printed("qstat", "-xml", "-u", user, "-s", "hu")
                        + GridEngineAnswers.HELD
                        + printed("qstat", "-xml", "-u", user, "-s", "ho")
                : all;
    }

    @Override
    public List<QueueLine> parse(String text) {
        return GridEngineAnswers.queue(text);
    }

    @Override
    public QueueForecast forecast(RunSpec spec, ClusterAccess.Context context, int interval) {
        QsubOptions options = QsubOptions.of(spec.where().options());
        return new SnapshotForecast(
                new GridEngineQueue(this, options, spec.node().cores(), name -> BatchCommands.token(spec.id(), name)),
                StateFolder.of(environment).resolve(file("qstat-all")),
                interval);
    }

    @Override
    public WhatIf whatIf(List<String> options, int coresPerNode) {
        QsubOptions requested = QsubOptions.of(options);
        return new SnapshotWhatIf(
                new GridEngineQueue(this, requested, coresPerNode, name -> QueueSnapshot.OTHERS), title());
    }

    // --- jobs ---

    @Override
    public long granted(long walltime) {
        return GridEngineScript.seconds(walltime) * 1000;
    }

    @Override
    public String script(PilotJobScript run, long token, Request request) throws IOException, InterruptedException {
        return new GridEngineScript(run, consumables(request)).text(token, request);
    }

    @Override
    public Submitted submit(
            PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        if (request.node().memory() > 0) {
            // Grid Engine would queue a job for ever that needs more than all hosts have.
            Consumables.MemoryPool available = memory(QsubOptions.of(run.options()));
            long needed = requested(request.node().memory()) * request.units();
            if (available.total() > 0 && needed > available.total()) {
                return Submitted.refused(
                        request.units() + " nodes with " + SizeText.rounded(needed) + " of " + available.name()
                                + "; all hosts have " + SizeText.rounded(available.total()),
                        false);
            }
        }
        long notBefore = delaySeconds > 0 ? System.currentTimeMillis() + delaySeconds * 1000 : 0;
        return submit(
                script,
                new GridEngineScript(run, consumables(request)).submission(token, request, notBefore, afterJob));
    }

    /** Submits a script with these arguments. */
    Submitted submit(Path script, List<String> words) throws IOException, InterruptedException {
        return GridEngineAnswers.submitted(commands.order(script, words.toArray(String[]::new)));
    }

    @Override
    public List<NamedJob> find(String name) throws IOException, InterruptedException {
        return GridEngineAnswers.found(jobs(), name);
    }

    /**
     * Qmaster drops a job when it has ended. Accounting lists it later, and never if it was deleted before its start.
     */
    @Override
    public JobState state(long job, BooleanSupplier began) throws IOException, InterruptedException {
        String letters = GridEngineAnswers.letters(jobs(), job);
        if (letters != null) {
            return GridEngineAnswers.state(letters);
        }
        CommandRunner.Answer kept = commands.order(null, "qacct", "-j", Long.toString(job));
        if (kept.isGood() && kept.out().contains("exit_status")) {
            missedSince.remove(job);
            return GridEngineAnswers.ended(kept.lines());
        }
        if (!began.getAsBoolean()) {
            return JobState.CANCELLED;
        }
        long since = missedSince.computeIfAbsent(job, first -> System.nanoTime());
        return System.nanoTime() - since < ACCOUNTING_NANOS ? JobState.ENDING : JobState.UNLISTED;
    }

    @Override
    public boolean limit(PilotJobScript run, long job, long walltime) throws IOException, InterruptedException {
        // qalter replaces all requests, so those for memory and GPUs are repeated.
        String requests = GridEngineAnswers.requests(printed("qstat", "-j", Long.toString(job)));
        String limits = "h_rt=" + GridEngineScript.seconds(walltime) + requests;
        return commands.order(null, "qalter", "-l", limits, Long.toString(job)).isGood();
    }

    @Override
    public String releaseCommand(long job) {
        return "qrls " + job;
    }
}
