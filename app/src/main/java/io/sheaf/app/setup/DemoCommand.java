package io.sheaf.app.setup;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.app.cli.Table;
import io.sheaf.app.page.Page;
import io.sheaf.app.report.RacePage;
import io.sheaf.app.report.Submits;
import io.sheaf.app.run.ViewOptions;
import io.sheaf.formats.Source;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one workflow with several strategies at the same time, each on a cluster of its own with the same jobs of others. */
@Command(
        name = "demo",
        description = "Runs a small workflow for real with five strategies side by side, and shows what came of it.",
        footer = {
            "",
            "Each has an embedded cluster of its own with the same jobs of others in its queue. It takes about two minutes.",
            "Example: sheaf demo"
        })
public final class DemoCommand extends SheafCommand {
    private static final String WORKFLOW = "/io/sheaf/app/ensemble.yaml";
    private static final String PAGE = "demo.html";

    @Option(
            names = "--strategies",
            paramLabel = "LIST",
            defaultValue = "onejobpertask,onejob,zhang,glume,auto",
            description = "Which strategies, with commas between (${DEFAULT-VALUE}).")
    String strategies = "";

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "13",
            description = "Where the random numbers of the others' jobs start (${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description =
                    "Keep the runs and the page in this folder, which must not be there yet; else a temporary one.")
    @Nullable
    String output;

    @Mixin
    ViewOptions view = new ViewOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> names = StrategyList.of(strategies);
        Path folder = folder();
        String text = Page.resource(DemoCommand.class, WORKFLOW);
        Path file = folder.resolve("ensemble.yaml");
        Files.writeString(file, text);
        Workflow workflow = Formats.reader("yaml").read(Source.of(file), true);
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
                        "a cluster of " + DemoRace.NODES + " nodes with jobs of others (" + DemoRace.OTHERS + ")",
                        records)::write);
        if (json) {
            printJson(records, page);
        } else {
            print(records, page);
        }
        return records.stream().allMatch(RunRecord::completed) ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private Path folder() throws IOException {
        if (output == null) {
            return Files.createTempDirectory("sheaf-demo-");
        }
        Path folder = session().folder().toAbsolutePath().resolve(output).normalize();
        if (Files.exists(folder)) {
            throw new InputException("is there already; name another folder with -o").in(folder.toString());
        }
        return Files.createDirectories(folder);
    }

    private void introduce(List<String> names, Workflow workflow) {
        PrintWriter err = session().err();
        err.println("One workflow of " + workflow.size() + " tasks, run for real with " + names.size()
                + (names.size() == 1 ? " strategy" : " strategies side by side") + ", each on " + DemoRace.NODES
                + " nodes of its own with the same jobs of others in the queue.");
        err.println("It takes about two minutes. What each submits:");
        for (String name : names) {
            err.println(("  " + DemoLane.named(name) + Submits.by(name)).stripTrailing());
        }
        err.println("In the bars # is done, + runs, . is left.");
        err.println();
    }

    private void print(List<RunRecord> records, Path page) {
        long shortest =
                records.stream().mapToLong(RunRecord::makespanMillis).min().orElse(0);
        List<List<String>> rows = new ArrayList<>();
        records.stream()
                .sorted(Comparator.comparingLong(RunRecord::makespanMillis))
                .forEach(run -> rows.add(List.of(
                        run.strategy(),
                        RacePage.seconds(run.makespanMillis()),
                        run.makespanMillis() == shortest ? "" : "+" + RacePage.seconds(run.makespanMillis() - shortest),
                        RacePage.seconds(run.perceivedWaitMillis()),
                        Rounded.count(run.jobs().size()),
                        RacePage.seconds(run.heldNodeMillis()),
                        RacePage.seconds(run.usedNodeMillis()))));
        session().out().println();
        Table.print(
                session().out(),
                List.of("strategy", "makespan", "later", "nothing running", "jobs", "node time held", "used"),
                rows,
                "<>>>>>>");
        session().out().println();
        session().out().println("page  " + page + " (open it in a browser)");
        session()
                .out()
                .println("why   sheaf explain "
                        + DemoRace.folder(
                                page.resolveSibling(""),
                                records.get(records.size() - 1).strategy()));
    }

    private void printJson(List<RunRecord> records, Path page) {
        try (JsonOut out = new JsonOut(session().out())) {
            out.object().field("page", page.toString()).array("runs");
            for (RunRecord run : records) {
                out.object()
                        .field("strategy", run.strategy())
                        .seconds("makespanSeconds", run.makespanMillis() * 1000)
                        .seconds("perceivedWaitSeconds", run.perceivedWaitMillis() * 1000)
                        .field("jobs", run.jobs().size())
                        .seconds("heldNodeSeconds", run.heldNodeMillis() * 1000)
                        .seconds("usedNodeSeconds", run.usedNodeMillis() * 1000)
                        .end();
            }
            out.end().end();
        }
    }
}
