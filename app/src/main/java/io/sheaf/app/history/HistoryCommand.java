package io.sheaf.app.history;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.history.PastRun.StartFigures;
import io.sheaf.app.run.RunChoice;
import io.sheaf.predict.TaskRecord;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.runtime.learnt.SharedRuns;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Site;
import io.sheaf.strategy.Strategies;
import io.sheaf.systems.BatchSystems;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code history}: statistics of recorded runs. */
@Command(
        name = "history",
        description =
                "Show statistics of earlier runs: task times by category, start-time estimates, node-hours, and the simulated makespan of other strategies.",
        footer = {
            "",
            "Other strategies are simulated in the recorded queue of each run; '--strategies none' skips this.",
            "Example: sheaf history --since 7d --html history.html"
        })
public final class HistoryCommand extends SheafCommand {
    private static final String NONE = "none";
    private static final String DEFAULT_STRATEGIES = "auto,onejob,onejobpertask,levelbylevel,zhang,glume";

    @Parameters(
            arity = "0..*",
            paramLabel = "RUN",
            description = "Folders of runs, or their names in ./" + RunChoice.RUNS + "; by default all runs there.")
    List<String> runs = new ArrayList<>();

    @Option(
            names = "--all",
            negatable = true,
            fallbackValue = "true",
            description = "Include your last 200 runs from all folders.")
    boolean all;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only runs started within this time, e.g. 7d, or since a date, e.g. 2026-11-01.")
    private @Nullable String since;

    @Option(
            names = "--strategies",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "LIST",
            description =
                    "Strategies to simulate for comparison: a comma-separated list, all or none (default: ${DEFAULT-VALUE}).")
    String strategies = DEFAULT_STRATEGIES;

    @Option(
            names = "--advice",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Print time, cores and memory requested and used by category, and how much earlier tasks would have started with better requests.")
    boolean advice;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write an HTML page with charts.")
    @Nullable
    String html;

    @Override
    public Integer call() throws IOException {
        List<String> strategyNames = advice || strategies.equals(NONE) ? List.of() : StrategyList.of(strategies);
        for (String each : strategyNames) {
            int colon = each.indexOf(':');
            if (!Strategies.NAMES.contains(colon < 0 ? each : each.substring(0, colon))) {
                throw new InputException(
                        "unknown strategy '" + each + "'; use one of " + String.join(", ", Strategies.NAMES) + ".");
            }
        }
        long from = from();
        List<PastRun> found = new ArrayList<>();
        Set<Path> learnt = new LinkedHashSet<>();
        for (Path folder : folders()) {
            RecordedRun run = RecordedRun.open(folder);
            if (run.history().begunAt() >= from && run.history().begunAt() > 0) {
                found.add(PastRun.of(run, predicted(run), strategyNames));
                learnt.add(SharedHistory.folder(
                        session().state().resolve("history"),
                        run.spec().where().system(),
                        run.workflow().name()));
            }
        }
        found.sort(
                Comparator.comparingLong((PastRun run) -> run.record().start()).thenComparing(PastRun::folder));
        if (advice) {
            RequestReport report = RequestReport.of(found);
            print(report::fields, report::print);
            return ExitStatus.DONE;
        }
        List<CategoryFigures.AttemptFigures> attempts = new ArrayList<>();
        found.forEach(run -> attempts.addAll(run.attempts()));
        List<CategoryFigures> categories = CategoryFigures.of(attempts);
        List<CategoryFigures> known = known(learnt);
        if (html != null) {
            HistoryPage page = new HistoryPage(found, categories);
            OutputFile.write(session().folder().resolve(html).toString(), page::write);
        }
        HistoryReport report = new HistoryReport(found, categories, known);
        print(report::fields, report::print);
        return ExitStatus.DONE;
    }

    /** The folders of the requested runs. */
    private Set<Path> folders() {
        Path current = session().folder().toAbsolutePath().normalize();
        Set<Path> folders = new LinkedHashSet<>();
        runs.forEach(each -> folders.add(RunChoice.folder(session(), each)));
        if (runs.isEmpty()) {
            RunChoice.in(current.resolve(RunChoice.RUNS)).stream().sorted().forEach(folders::add);
        }
        if (all) {
            SharedRuns known = new SharedRuns(session().state(), session().err()::println);
            known.all().stream().filter(RunFiles::isRun).forEach(folders::add);
        }
        if (folders.isEmpty()) {
            throw new InputException("no runs in ./" + RunChoice.RUNS
                    + "; give the folders of runs, or use --all for all recorded runs");
        }
        return folders;
    }

    /** The earliest start of the included runs. */
    private long from() {
        if (since == null) {
            return Long.MIN_VALUE;
        }
        try {
            return LocalDate.parse(since)
                    .atStartOfDay(ZoneId.systemDefault())
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeParseException e) {
            return System.currentTimeMillis() - OptionText.millis("--since", since);
        }
    }

    /** The recorded predictions of each estimator of a batch system. */
    private List<StartFigures> predicted(RecordedRun run) throws IOException {
        List<StartFigures> figures = new ArrayList<>();
        Set<String> systems = new HashSet<>(Set.of(Placement.LOCAL.system()));
        for (Site site : run.spec().where().members()) {
            if (systems.add(site.system())) {
                BatchSystems.commands(site, session().environment())
                        .startErrors(session().state(), run.spec().id())
                        .forEach((estimator, errors) -> figures.add(StartFigures.of(estimator, errors)));
            }
        }
        return figures;
    }

    /** The run times for planning later runs of these workflows. */
    private List<CategoryFigures> known(Set<Path> folders) {
        List<CategoryFigures.AttemptFigures> attempts = new ArrayList<>();
        for (Path folder : folders) {
            SharedHistory history = new SharedHistory(
                    folder, System::currentTimeMillis, session().err()::println);
            String workflow = String.valueOf(folder.getFileName());
            for (TaskRecord each : history.records()) {
                CategoryFigures.End end = each.failed() ? CategoryFigures.End.FAILED : CategoryFigures.End.DONE;
                attempts.add(new CategoryFigures.AttemptFigures(
                        workflow, each.category(), end, each.millis(), each.memoryBytes(), 0));
            }
        }
        return CategoryFigures.of(attempts);
    }
}
