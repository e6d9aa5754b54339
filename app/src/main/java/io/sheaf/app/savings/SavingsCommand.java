package io.sheaf.app.savings;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.Progress;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.app.simulate.LogOptions;
import io.sheaf.app.simulate.PolicyOptions;
import io.sheaf.batch.Policy;
import io.sheaf.formats.slurm.SacctReader.Labels;
import io.sheaf.lab.savings.CampaignRecognizer;
import io.sheaf.lab.savings.KnownCampaigns;
import io.sheaf.lab.savings.PastCampaign;
import io.sheaf.lab.savings.PastJobs;
import io.sheaf.lab.savings.PolicyFit;
import io.sheaf.lab.savings.SavingsStudy;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownTimes;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.systems.BatchSystems;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code savings}: what strategies would have saved on campaigns of the past. */
@Command(
        name = "savings",
        description = {
            "Estimate what Sheaf would have saved on past campaigns: find them in accounting, infer the scheduling policy, and replay them under each strategy against the other users' jobs.",
            "A campaign is a set of jobs of one user: a job array, dependent jobs, a burst of similar jobs, or the jobs of a workflow tool."
        },
        footer = {
            "",
            "Savings are against a replay of the jobs as they were submitted, with the same policy.",
            "Without --policy and --order, both are inferred from the recorded starts.",
            "Example: sheaf savings accounting.txt --user alice --html savings.html",
            "Example: sheaf savings --on slurm --since 28d --anonymise --html savings.html",
            "Example: sheaf savings log.swf.gz --validate 40"
        })
public final class SavingsCommand extends SheafCommand {
    private static final String DEFAULT_STRATEGIES = "auto,glume,zhang,onejob,onejobpertask";

    @Parameters(
            arity = "0..*",
            paramLabel = "LOG",
            description =
                    "Output of 'sacct --parsable2' (several files are read as one log), or an SWF log; may be gzipped.")
    List<String> logs = new ArrayList<>();

    @Option(names = "--on", paramLabel = "SYSTEM", description = "Read the accounting of this batch system: slurm.")
    String on = "";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "With --on: the time span to read, up to now (default: ${DEFAULT-VALUE}).")
    String since = "28d";

    @Option(names = "--user", paramLabel = "NAME", description = "Only campaigns of this user (default: all users).")
    private @Nullable String user;

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            description = "Only jobs of this partition (default: the one with the most processor time).")
    private @Nullable String partition;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Nodes of the cluster or partition (default: from the log's header, else the most nodes in use).")
    private @Nullable Integer nodes;

    @Option(
            names = "--strategies",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "LIST",
            description = "Strategies to replay: a comma-separated list or all (default: ${DEFAULT-VALUE}).")
    String strategies = DEFAULT_STRATEGIES;

    @Option(
            names = "--known-times",
            paramLabel = "HOW",
            defaultValue = "learnt",
            description =
                    "Run times known to strategies: learnt (requested times, then those of finished tasks), given (exact), none (default: ${DEFAULT-VALUE}).")
    KnownTimes known = KnownTimes.LEARNT;

    @Option(
            names = {"--min-jobs", "--least-jobs"},
            paramLabel = "N",
            description = "Minimum number of jobs of a campaign (default: ${DEFAULT-VALUE}).")
    int minJobs = 4;

    @Option(
            names = {"--max-campaigns", "--most-campaigns"},
            paramLabel = "N",
            description =
                    "Maximum number of campaigns to replay, spread evenly over those found; 0 only finds them (default: ${DEFAULT-VALUE}).")
    int maxCampaigns = 40;

    @Option(names = "--anonymise", description = "Replace names of users, jobs and files, and dates.")
    boolean anonymise;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write an HTML page.")
    @Nullable
    String html;

    @Option(
            names = "--validate",
            paramLabel = "N",
            description =
                    "Add N generated campaigns to the log, replay all of it under --policy (easy), and show how many are recognised and whether the policy is inferred.")
    int validate;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Random seed of generated campaigns (default: ${DEFAULT-VALUE}).")
    long seed;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    LogOptions reading = new LogOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkUsage();
        List<String> strategyNames = StrategyList.of(strategies);
        WorkflowBuilder one = new WorkflowBuilder("one");
        one.task("one");
        RunTimes times = new RunTimes(one.build(), Profile.OWN.planOrder(), Resources.node(1));
        strategyNames.forEach(each -> Campaign.check(each, times, Profile.OWN));
        LoadedTrace loaded = load();
        KnownCampaigns truth = validate > 0 ? truth(loaded) : null;
        PastJobs jobs = truth == null ? jobs(loaded) : PastJobs.of(truth.log(), truth.labels(), 1, -1);
        if (jobs.size() == 0) {
            throw new InputException("not enough data: no job with a recorded start, run time and size")
                    .in(loaded.name());
        }
        boolean reported = nodes != null || loaded.size().isPresent();
        int size = reported ? loaded.nodes(nodes, reading) : jobs.maxInUse();
        PolicyFit fit = PolicyFit.of(jobs, size);
        boolean chosen = scheduling.isGiven() && truth == null;
        Policy policy = chosen || !fit.isInferred()
                ? scheduling.policy(Conventions.OWN)
                : fit.best().policy();
        List<PastCampaign> found = CampaignRecognizer.campaigns(jobs, minJobs);
        KnownCampaigns.Recognition recognition = truth == null ? null : truth.judge(found);
        List<PastCampaign> selected = select(found, truth, size, jobs);
        List<PastCampaign> replayed = spread(selected);
        SavingsReport report = new SavingsReport(
                loaded.name(),
                jobs,
                size,
                reported,
                chosen || !fit.isInferred()
                        ? scheduling.text(Conventions.OWN)
                        : fit.best().name(),
                chosen,
                fit,
                found.size(),
                selected.size(),
                compared(jobs, size, policy, strategyNames, replayed),
                strategyNames,
                recognition,
                anonymise);
        if (html != null) {
            OutputFile.write(session().folder().resolve(html).toString(), new SavingsPage(report)::write);
        }
        print(report::fields, report::print);
        return ExitStatus.DONE;
    }

    private void checkUsage() {
        String systems = "--on " + String.join(" or --on ", BatchSystems.names(BatchSystem.Feature.ACCOUNTING));
        UsageException.unless(on.isEmpty() != logs.isEmpty(), "give accounting files, or " + systems);
        UsageException.unless(
                on.isEmpty() || BatchSystems.names().contains(on),
                "--on " + on + ": its accounting cannot be read; use " + systems + " or a file");
        UsageException.unless(
                minJobs >= 2 && maxCampaigns >= 0 && validate >= 0,
                "--min-jobs must be at least 2, --max-campaigns and --validate at least 0");
        UsageException.unless(nodes == null || nodes >= 1, "--nodes: must be at least 1");
        reading.zone();
        reading.procsPerNode();
        scheduling.policy(Conventions.OWN);
    }

    private LoadedTrace load() throws IOException, InterruptedException {
        if (on.isEmpty()) {
            List<String> files = logs.stream()
                    .map(file -> file.equals("-")
                            ? file
                            : session().folder().resolve(file).toString())
                    .toList();
            return LoadedTrace.read(files, reading, session().err());
        }
        long from = System.currentTimeMillis() - OptionText.millis("--since", since);
        String text = Clusters.commands(new Placement(on, List.of()), session()).accounting(from);
        return LoadedTrace.accounting(
                "accounting of " + on, text, reading, session().err());
    }

    /** The jobs of the requested partition. */
    private PastJobs jobs(LoadedTrace loaded) {
        Labels labels = loaded.labels();
        int number = labels == null ? -1 : PastJobs.mainPartition(loaded.log());
        List<String> known = labels == null ? List.of() : labels.partitions();
        if (partition != null) {
            if (!known.contains(partition)) {
                throw InputException.unknown("partition", partition, known).in(loaded.name());
            }
            number = known.indexOf(partition) + 1;
        } else if (number >= 1 && number <= known.size()) {
            note("note: only jobs of partition " + known.get(number - 1)
                    + ", which has the most processor time; use --partition for another one");
        }
        return PastJobs.of(loaded.log(), labels, reading.procsPerNode(), number);
    }

    /** A log with known campaigns in place of the given one. */
    private KnownCampaigns truth(LoadedTrace loaded) {
        int size = loaded.nodes(nodes, reading);
        JobLog background = TraceRules.forNodes(size)
                .withProcsPerNode(reading.procsPerNode())
                .apply(loaded.log())
                .jobs();
        if (background.size() == 0) {
            throw new InputException("not enough data: no job to replay").in(loaded.name());
        }
        return KnownCampaigns.in(background, scheduling.policy(Conventions.OWN), size, validate, seed);
    }

    /** The campaigns to replay: of the requested user, or those with generated jobs; neither too large nor at the begin of the log. */
    private List<PastCampaign> select(
            List<PastCampaign> found, @Nullable KnownCampaigns truth, int size, PastJobs jobs) {
        List<PastCampaign> selected = found.stream()
                .filter(each -> user == null || each.user().equals(user))
                .filter(each -> truth == null || truth.isKnown(each))
                .toList();
        if (user != null && found.stream().noneMatch(each -> each.user().equals(user))) {
            note("note: no campaign of user " + user + " was found");
        }
        List<PastCampaign> possible = selected.stream()
                .filter(each -> SavingsStudy.canReplay(jobs, each, size))
                .toList();
        int left = selected.size() - possible.size();
        if (left > 0) {
            note("note: campaigns that are not replayed: " + Rounded.count(left) + " with more than "
                    + Rounded.count(SavingsStudy.MAX_TASKS)
                    + " jobs, on the first day of the log, or with more nodes than the cluster has");
        }
        return possible;
    }

    private List<PastCampaign> spread(List<PastCampaign> selected) {
        int count = Math.min(maxCampaigns, selected.size());
        return IntStream.range(0, count)
                .mapToObj(i -> selected.get((int) ((long) i * selected.size() / count)))
                .toList();
    }

    private List<SavingsStudy.Compared> compared(
            PastJobs jobs, int size, Policy policy, List<String> strategyNames, List<PastCampaign> campaigns) {
        try (Progress progress = new Progress(session(), "replaying campaigns")) {
            return new SavingsStudy(jobs, size, policy, strategyNames, known).run(campaigns, progress::at);
        }
    }
}
