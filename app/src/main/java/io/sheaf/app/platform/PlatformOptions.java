package io.sheaf.app.platform;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.formats.Source;
import io.sheaf.platform.Algorithm;
import io.sheaf.platform.Algorithms;
import io.sheaf.platform.Model;
import io.sheaf.platform.Objective;
import io.sheaf.platform.Platform;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PlatformPortfolio;
import io.sheaf.platform.PlatformSimulation;
import io.sheaf.platform.Platforms;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.platform.Scenario;
import io.sheaf.platform.TaskOrders;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code simulate --platform}: simulates an execution on several clusters with storage and network. */
@HelpHeading(HelpHeading.PLATFORM)
public final class PlatformOptions {
    private static final String PORTFOLIO = "portfolio";

    @Option(
            names = "--platform",
            paramLabel = "P",
            description =
                    "Simulate on a platform instead of a batch queue: P1 to P9, or a file with clusters, storage and links.")
    @Nullable
    String platform;

    @Option(
            names = "--algorithm",
            paramLabel = "A",
            description = "Platform: algorithm A0 to A35, or portfolio (default: ${DEFAULT-VALUE}).")
    String algorithm = PORTFOLIO;

    @Option(
            names = "--task-order",
            paramLabel = "FILE",
            description = "Platform: file with the task order used to break ties.")
    private @Nullable String taskOrder;

    @Option(
            names = "--alpha",
            paramLabel = "F",
            defaultValue = "0.1",
            description =
                    "Portfolio: re-select the algorithm after this fraction of the work (default: ${DEFAULT-VALUE}).")
    double alpha;

    @Option(
            names = "--at-levels",
            negatable = true,
            fallbackValue = "true",
            description = "Portfolio: also re-select when a level is complete.")
    boolean atLevels;

    @Option(
            names = "--beta",
            paramLabel = "F",
            defaultValue = "1",
            description = "Portfolio: fraction of the work to simulate per candidate (default: ${DEFAULT-VALUE}).")
    double beta;

    @Option(
            names = "--error",
            paramLabel = "E",
            defaultValue = "0",
            description = "Portfolio: relative error added to simulated values (default: ${DEFAULT-VALUE}).")
    double error;

    @Option(
            names = "--error-seed",
            paramLabel = "S",
            description = "Portfolio: random seed of the error (default: ${DEFAULT-VALUE}).")
    int errorSeed = 1000;

    @Option(
            names = "--budget",
            paramLabel = "N",
            description = "Portfolio: maximum number of algorithms simulated per selection (default: all).")
    private @Nullable Integer budget;

    @Option(
            names = "--prune",
            negatable = true,
            fallbackValue = "true",
            description = "Portfolio: stop simulating candidates that can no longer win; the selections stay the same.")
    boolean prune;

    @Option(
            names = "--objective",
            paramLabel = "O",
            description = "Portfolio: objective to minimize, makespan or energy (default: ${DEFAULT-VALUE}).")
    String objective = "makespan";

    @Option(
            names = {"--estimate-error", "--misjudged"},
            paramLabel = "D",
            defaultValue = "0",
            description =
                    "Portfolio: error of run-time estimates; a lognormal factor per category with this standard deviation of the logarithm (default: ${DEFAULT-VALUE}).")
    double misjudged;

    @Option(
            names = {"--correct-estimates", "--forensics"},
            negatable = true,
            fallbackValue = "true",
            description = "Portfolio: correct run-time estimates by observed run times.")
    boolean forensics;

    public boolean isRequested() {
        return platform != null;
    }

    /** Simulates the workflow and prints the result; the default model is the paper's. */
    public int run(SheafCommand command, Workflow workflow, @Nullable String modelName, @Nullable String html) {
        Model model = modelName == null ? Model.PAPER : Model.of(modelName);
        Platform where = Platforms.of(platform == null ? "" : platform);
        boolean choosing = algorithm.toLowerCase(Locale.ROOT).equals(PORTFOLIO);
        Scenario scenario = taskOrder == null
                ? new Scenario(workflow, where, model)
                : new Scenario(
                        workflow,
                        where,
                        model,
                        TaskOrders.read(Source.of(Path.of(taskOrder)), workflow, where.name(), choosing));
        Objective choice = Choice.of("--objective", objective, Objective.class);
        PlatformReport report;
        if (choosing) {
            PlatformPortfolio.Run run = PlatformPortfolio.run(scenario, Algorithms.of(model), settings(choice));
            report = new PlatformReport(scenario, PORTFOLIO, run.simulation().execution(), run.rounds(), choice);
        } else {
            Algorithm chosen = Algorithms.named(algorithm, model);
            PlatformExecution execution =
                    PlatformSimulation.run(scenario, chosen).execution();
            report = new PlatformReport(scenario, chosen.name(), execution, List.of(), choice);
        }
        if (html != null) {
            OutputFile.write(html, report::write);
        }
        command.print(report::fields, report::print);
        return ExitStatus.DONE;
    }

    private PortfolioSettings settings(Objective choice) {
        UsageException.unless(
                alpha > 0 && beta > 0 && error >= 0 && misjudged >= 0 && (budget == null || budget >= 1),
                "--alpha, --beta and --budget must be greater than 0; --error and --estimate-error must not be negative");
        PortfolioSettings settings = PortfolioSettings.PUBLISHED
                .withAlpha(alpha, atLevels)
                .withBeta(beta)
                .withError(error, errorSeed)
                .withPruning(prune)
                .withObjective(choice)
                .withBelief(misjudged, forensics);
        return budget == null ? settings : settings.withBudget(budget);
    }
}
