package io.sheaf.app.setup;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.page.Page;
import io.sheaf.app.report.RacePage;
import io.sheaf.app.run.ViewOptions;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.registry.Formats;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code demo}: one workflow under several strategies, each on its own embedded cluster with the same background jobs. */
@Command(
        name = "demo",
        description = "Run a small workflow with five strategies side by side and compare the results.",
        footer = {
            "",
            "Each strategy has its own embedded cluster with the same background jobs. Takes one to two minutes.",
            "Example: sheaf demo"
        })
public final class DemoCommand extends SheafCommand {
    private static final String WORKFLOW = "/io/sheaf/app/ensemble.yaml";
    private static final String PAGE = "demo.html";

    @Option(
            names = "--strategies",
            paramLabel = "LIST",
            defaultValue = "onejobpertask,onejob,zhang,glume,auto",
            description = "Comma-separated list of strategies (default: ${DEFAULT-VALUE}).")
    String strategies = "";

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Random seed of the background jobs (default: ${DEFAULT-VALUE}).")
    long seed = 13;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Folder for the runs and the page; must not exist (default: a temporary folder).")
    private @Nullable String output;

    @Mixin
    ViewOptions view = new ViewOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> names = StrategyList.of(strategies);
        Path folder = folder();
        String text = Page.resource(DemoCommand.class, WORKFLOW);
        Path file = folder.resolve("ensemble.yaml");
        Files.writeString(file, text);
        // Each run has a working folder of its own.
        WorkflowParameters own = new WorkflowParameters(
                Map.of("results", new WorkflowParameters.Given(List.of("results"), false, "sheaf demo")), Map.of());
        Workflow workflow = Formats.reader("yaml").read(Source.of(file).with(own), true);
        introduce(names, workflow);
        DemoRace race = new DemoRace(folder, workflow, seed, session());
        boolean completed = race.run(names, view.isScreen(session()));
        if (!completed) {
            return ExitStatus.INTERRUPTED;
        }
        List<RunRecord> records = new ArrayList<>();
        for (String name : names) {
            RecordedRun run = RecordedRun.open(DemoRace.folder(folder, name));
            records.add(run.record(run.now()));
        }
        Path page = folder.resolve(PAGE);
        OutputFile.write(
                page.toString(),
                new RacePage(
                        "a cluster of " + DemoRace.NODES + " nodes with background jobs (" + DemoRace.OTHERS + ")",
                        records)::write);
        show(records, page);
        return records.stream().allMatch(RunRecord::completed) ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private Path folder() throws IOException {
        if (output == null) {
            return Files.createTempDirectory("sheaf-demo-");
        }
        Path folder = session().folder().toAbsolutePath().resolve(output).normalize();
        if (Files.exists(folder)) {
            throw new InputException("already exists; use another folder with -o").in(folder.toString());
        }
        return Files.createDirectories(folder);
    }

    private void introduce(List<String> names, Workflow workflow) {
        PrintWriter err = session().err();
        err.println("One workflow of " + workflow.size() + " tasks, run with " + names.size()
                + (names.size() == 1 ? " strategy" : " strategies side by side") + ", each on its own cluster of "
                + DemoRace.NODES
                + " nodes with the same background jobs.");
        err.println("This takes about two minutes. Jobs that each strategy submits:");
        for (String name : names) {
            err.println(("  " + DemoRace.named(name) + RacePage.submits(name)).stripTrailing());
        }
        err.println("Progress bars: # done, + running, . not started.");
        err.println();
    }

    private static Fields<RunRecord> columns(long shortest) {
        return new Fields<RunRecord>()
                .text("strategy", "strategy", RunRecord::strategy)
                .right("makespan", run -> RacePage.seconds(run.makespanMillis()))
                .right(
                        "difference",
                        run -> run.makespanMillis() == shortest
                                ? ""
                                : "+" + RacePage.seconds(run.makespanMillis() - shortest))
                .right("no job running", run -> RacePage.seconds(run.perceivedWaitMillis()))
                .right("jobs", run -> Rounded.count(run.jobs().size()))
                .right("node time allocated", run -> RacePage.seconds(run.allocatedNodeMillis()))
                .right("used", run -> RacePage.seconds(run.usedNodeMillis()))
                .time("makespanSeconds", RunRecord::makespanMillis)
                .time("perceivedWaitSeconds", RunRecord::perceivedWaitMillis)
                .count("jobs", run -> run.jobs().size())
                .time("heldNodeSeconds", RunRecord::allocatedNodeMillis)
                .time("usedNodeSeconds", RunRecord::usedNodeMillis);
    }

    private void show(List<RunRecord> records, Path page) {
        List<RunRecord> sorted = records.stream()
                .sorted(Comparator.comparingLong(RunRecord::makespanMillis))
                .toList();
        Fields<RunRecord> columns = columns(sorted.get(0).makespanMillis());
        print(out -> columns.array(out.field("page", page.toString()), "runs", records), out -> {
            out.println();
            columns.table(out, sorted);
            out.println();
            out.println(Fields.line("page", page + " (open it in a browser)"));
            String last = records.get(records.size() - 1).strategy();
            out.println(Fields.line("explanation", "sheaf explain " + DemoRace.folder(page.resolveSibling(""), last)));
        });
    }
}
