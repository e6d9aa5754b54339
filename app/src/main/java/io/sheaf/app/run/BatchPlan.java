package io.sheaf.app.run;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.Session;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.PlanForecast;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that strategies would submit to a batch system now, with start-time estimates from a forward simulation of
 * its queue. For a single strategy it includes the scripts.
 */
public final class BatchPlan {
    /** A stand-in for the id that a run gets at its creation. */
    public static final String ID = "0000000000000000";

    private static final AgentReserve RESERVE =
            new AgentReserve(AgentSettings.reserveMillis(AgentSettings.GRACE_MILLIS), () -> Cluster.NEVER);

    private final Workflow workflow;
    private final RunSpec spec;
    private final Profile profile;
    private final int cap;
    private final Session session;
    private final BatchCommands commands;
    private final PilotJobScript run;
    private final WhatIf cluster;
    /** The request whose waits are compared between the pools; null if no strategy submits a job. */
    private @Nullable Request compared;

    private final List<PoolWait> waits = new ArrayList<>();

    public BatchPlan(BatchCommands commands, Workflow workflow, RunSpec spec, Profile profile, int cap, Session session)
            throws IOException {
        this.workflow = workflow;
        this.spec = spec;
        this.profile = profile.withReserve(RESERVE.millis());
        this.cap = cap;
        this.session = session;
        Path folder = session.folder().toAbsolutePath().resolve(RunChoice.RUNS).resolve("RUN");
        this.commands = commands;
        List<String> options = spec.where().options();
        run = new PilotJobScript(
                Launch.from(RunSession.agentFiles(session)),
                new RunFolder(folder),
                ID,
                spec.node().cores(),
                folder.resolve(commands.system().name()),
                options,
                workflow.name(),
                spec.pools(),
                null);
        cluster = commands.whatIf(options, spec.node().cores(), spec.pools());
    }

    /** Simulates strategies, by name. */
    public Map<String, PlanForecast> forecasts(List<String> names) throws IOException, InterruptedException {
        long now = System.currentTimeMillis();
        WhatIf.ModelledQueue outlook = cluster.outlook(now);
        outlook.problems().forEach(problem -> session.note("note: " + problem));
        Pools pools = spec.offeredPools(RESERVE.millis());
        JobLimits limits = pools.count() == 0
                ? outlook.queue().engine().policy().perJob()
                : spec.pools().largest();
        limits.check(workflow);
        Resources node = spec.node();
        SimulationSetup setup = SimulationSetup.of(profile, node, cap)
                .rules(rules -> rules.pools(pools).limits(limits.without(RESERVE.millis())))
                .with(SimulationSetup.Dependencies.ELIGIBLE_ONLY)
                .nodes(spec.nodes());
        boolean timed = SpecifiedManager.isTimed(workflow);
        RunTimes times = new RunTimes(workflow, profile.planOrder(), node);
        Map<String, PlanForecast> forecasts = new LinkedHashMap<>();
        for (String name : names) {
            SimulatedQueue queue = outlook.queue().fork();
            Strategy strategy = timed
                    ? Strategies.named(name, times, profile)
                    : SpecifiedManager.strategy(name, spec, workflow, WaitMemory.NONE);
            PlanForecast forecast = asSubmitted(PlanForecast.of(queue, now, workflow, strategy, setup));
            forecasts.put(name, timed ? forecast : new PlanForecast(forecast.jobs(), -1, List.of(), -1));
        }
        compare(outlook.queue(), now, forecasts);
        return forecasts;
    }

    /** Estimates the waits of the first job of the first strategy in each pool. */
    private void compare(SimulatedQueue queue, long now, Map<String, PlanForecast> forecasts) {
        compared = forecasts.values().stream()
                .filter(each -> !each.jobs().isEmpty())
                .map(each -> each.jobs().get(0).request())
                .findFirst()
                .orElse(null);
        Request request = compared;
        for (int number = 1; request != null && number <= spec.pools().count(); number++) {
            boolean allowed = spec.pools().allows(number, request.units(), request.walltime());
            long start = allowed
                    ? new EngineEstimator(queue.engine())
                            .estimate(StartQuery.of(now, number, request.units(), request.walltime()))
                            .job(0)
                    : StartTimes.NEVER;
            long wait = start == StartTimes.NEVER ? -1 : Math.max(0, start - now);
            waits.add(new PoolWait(spec.pools().pool(number), wait));
        }
    }

    /** The same with submitted walltimes, which include the agents' reserve. */
    private static PlanForecast asSubmitted(PlanForecast forecast) {
        List<PlanForecast.ForecastJob> jobs = forecast.jobs().stream()
                .map(job -> new PlanForecast.ForecastJob(
                        RESERVE.addedTo(job.request()), job.claim(), job.tasks(), job.expectedWait()))
                .toList();
        return new PlanForecast(jobs, forecast.makespanMillis(), forecast.cores(), forecast.estimateMillis());
    }

    /** Prints a table; for a single strategy, the scripts follow. */
    public void print(String file, Map<String, PlanForecast> forecasts) {
        PrintWriter out = session.out();
        out.println(file + " on " + commands.title() + ", current queue");
        out.println();
        Request request = compared;
        if (request != null && !waits.isEmpty()) {
            out.println("estimated wait of " + request.units() + (request.units() == 1 ? " node" : " nodes") + " for "
                    + Rounded.time(request.walltime()) + " by pool");
            out.println();
            PoolWait.FIELDS.table(out, waits);
            out.println();
        }
        new PlanTable(workflow, forecasts, spec.pools()).print(out);
        for (PlanForecast only : forecasts.size() == 1 ? List.copyOf(forecasts.values()) : List.<PlanForecast>of()) {
            for (int i = 0; i < only.jobs().size(); i++) {
                out.println();
                out.print(script(i, only.jobs().get(i).request()));
            }
        }
    }

    public void printJson(Map<String, PlanForecast> forecasts, RerunText rerun) {
        new PlanTable(workflow, forecasts, spec.pools())
                .printJson(
                        session.out(),
                        out -> {
                            rerun.print(out);
                            if (!waits.isEmpty()) {
                                PoolWait.FIELDS.array(out, "pools", waits);
                            }
                        },
                        this::script);
    }

    /** The script of a job; the tokens of a run start at 1. */
    private String script(int number, Request request) {
        try {
            return commands.script(run, number + 1, request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("interrupted"));
        }
    }

    /**
     * A pool of the run, and the wait of a request there.
     *
     * @param millis the estimated wait; −1 if the pool does not allow the request
     */
    private record PoolWait(Pool pool, long millis) {
        static final Fields<PoolWait> FIELDS = new Fields<PoolWait>()
                .left("partition", each -> each.pool.name().split("/", 2)[0])
                .left(
                        "QOS",
                        each -> each.pool.name().contains("/")
                                ? each.pool.name().split("/", 2)[1]
                                : "-")
                .right("nodes", each -> Rounded.count(each.pool.size()))
                .right("max walltime", each -> each.hasLimit() ? Rounded.time(each.walltime()) : "-")
                .right("max nodes", each -> Rounded.count(each.maxNodes()))
                .right("price", each -> DecimalText.fixed(each.pool.price(), 2))
                .right("estimated wait", each -> each.millis < 0 ? "not allowed" : Rounded.time(each.millis))
                .field((out, each) -> out.field("pool", each.pool.name()).field("nodes", each.pool.size()))
                .count("maxNodes", PoolWait::maxNodes)
                .field((out, each) -> {
                    if (each.hasLimit()) {
                        out.seconds("maxWalltimeSeconds", each.walltime() * 1000);
                    }
                })
                .decimal("price", 6, each -> each.pool.price())
                .field((out, each) -> {
                    if (each.millis >= 0) {
                        out.seconds("expectedWaitSeconds", each.millis * 1000);
                    }
                });

        long walltime() {
            return pool.limits().walltime();
        }

        boolean hasLimit() {
            return walltime() != JobLimits.NONE.walltime();
        }

        int maxNodes() {
            return Math.min(pool.size(), pool.limits().units());
        }
    }
}
