package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.Explanation;
import io.sheaf.app.report.StatusReport;
import io.sheaf.app.simulate.Simulation;
import io.sheaf.app.simulate.SimulationOptions;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.batch.OwnPriorities;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code explain}: the decisions of a run. */
@Command(
        name = "explain",
        description = {
            "Explain each decision of a run: options, estimates, and what happened.",
            "Explains a real run, given its folder (default: the newest in ./sheaf-runs), or simulates a workflow like 'sheaf simulate' and explains that run."
        },
        footer = {
            "",
            "Times count from the submission of the workflow.",
            "Example: sheaf explain workflow.json --model kth-like --start 2d --strategy glume",
            "         sheaf explain sheaf-runs/montage-mini-20261115-120000"
        })
public final class ExplainCommand extends SheafCommand {
    @Mixin
    SimulationOptions options = new SimulationOptions();

    @Override
    public Integer call() throws IOException {
        Path folder = RunChoice.folder(session(), options.file);
        if (RunFiles.isRun(folder)) {
            RecordedRun run = RecordedRun.open(folder);
            RunRecord record = run.record(run.now());
            RunStatus status = run.status(0);
            Explanation explanation = new Explanation(record);
            List<OwnPriorities.JobPriority> priorities = priorities(folder);
            print(
                    out -> {
                        explanation.fields(out);
                        StatusReport.avoided(out, status);
                        fields(out, priorities);
                    },
                    out -> {
                        out.println(record.workflow().name() + " with " + record.strategy() + " on "
                                + ReportCommand.where(run) + ": "
                                + status.state().word());
                        StatusReport.avoided(status).forEach(out::println);
                        explanation.print(out);
                        priorities.forEach(job -> out.println(text(job)));
                    });
            return ExitStatus.DONE;
        }
        if (Files.isDirectory(folder)) {
            throw RunFiles.noRun(folder);
        }
        if (!Files.exists(session().folder().resolve(options.file))) {
            throw new InputException("no such run or workflow; 'sheaf status' shows the newest run").in(options.file);
        }
        Simulation simulation = options.run(session().err());
        Explanation explanation = new Explanation(simulation.record());
        Simulation.FairShareCost use = simulation.use();
        print(
                out -> {
                    explanation.fields(out);
                    if (use != null) {
                        use.fields(out);
                    }
                },
                out -> {
                    out.println(simulation.title());
                    if (use != null) {
                        out.println(use.text());
                    }
                    explanation.print(out);
                });
        return simulation.run().completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** The priorities of a run's jobs, at all sites. */
    private static List<OwnPriorities.JobPriority> priorities(Path folder) throws IOException {
        List<OwnPriorities.JobPriority> jobs = new ArrayList<>(new OwnPriorities(folder).jobs());
        Path sites = folder.resolve("sites");
        if (Files.isDirectory(sites)) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(sites)) {
                for (Path site : each) {
                    jobs.addAll(new OwnPriorities(site).jobs());
                }
            }
        }
        jobs.sort(Comparator.comparingLong(OwnPriorities.JobPriority::token));
        return jobs;
    }

    private static String text(OwnPriorities.JobPriority job) {
        String observed = job.observed() == OwnPriorities.UNSEEN ? "" : ", " + job.observed() + " in the queue";
        String use = "";
        if (job.fairShareAfter() < job.fairShare()) {
            use = "; fair-share factor " + DecimalText.fixed(job.fairShare(), 4) + ", "
                    + DecimalText.fixed(job.fairShareAfter(), 4) + " after its walltime"
                    + (job.waitEquivalent() == WhatIf.NEVER || job.waitEquivalent() == WhatIf.UNKNOWN
                            ? ""
                            : ", which " + Rounded.time(job.waitEquivalent()) + " of waiting make up for");
        }
        return Fields.line("priority", "job " + job.token() + ": " + job.predicted() + " predicted" + observed + use);
    }

    private static void fields(JsonOut out, List<OwnPriorities.JobPriority> jobs) {
        out.objects("priorities", jobs, job -> {
            out.field("job", job.token()).field("predicted", job.predicted());
            if (job.observed() != OwnPriorities.UNSEEN) {
                out.field("seen", job.observed());
            }
            out.decimal("fairShare", job.fairShare(), 6).decimal("fairShareAfter", job.fairShareAfter(), 6);
        });
    }
}
