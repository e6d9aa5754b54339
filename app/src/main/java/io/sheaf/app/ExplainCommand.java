package io.sheaf.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells why a run went as it did: every decision, what it rested on, and what then happened. */
@Command(
        name = "explain",
        description = "Runs a workflow like 'simulate' and explains every decision, and what came of it.",
        footer = {
            "",
            "Times are counted from when the workflow is handed in.",
            "Example: sheaf explain workflow.json --model kth-like --start 2d --strategy glume"
        })
final class ExplainCommand extends SheafCommand {
    @Mixin
    SimulationOptions options = new SimulationOptions();

    @Override
    public Integer call() {
        Simulation simulation = options.run(commandLine(), session().err());
        Explanation explanation = new Explanation(simulation.record());
        if (json) {
            explanation.printJson(session().out());
        } else {
            session().out().println(simulation.title());
            explanation.print(session().out());
        }
        return simulation.run().completed() ? ExitStatus.DONE : ExitStatus.FAILED;
    }
}
