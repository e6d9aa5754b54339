package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Table;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code serve list}. */
@Command(
        name = "list",
        description = "List the workflows of a service and their progress.",
        footer = {"", "Example: sheaf serve list --all"})
final class ServeListCommand extends SheafCommand {
    @Mixin
    ServiceChoice service = new ServiceChoice();

    @Option(names = "--all", description = "Include workflows that have ended.")
    boolean all;

    @Override
    public Integer call() throws IOException {
        Path folder = service.folder(session());
        ServiceClient known = new ServiceClient(folder);
        RecordedRun run = RecordedRun.open(folder);
        Roster roster = Roster.of(
                run.history().forest(), run.history().manager(), run.history().begunAt());
        Roster shown = new Roster(
                roster.begunAt(),
                roster.open(),
                roster.entries().stream()
                        .filter(entry -> all || !entry.isFinished())
                        .toList());
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                shown.write(out);
            }
            return ExitStatus.DONE;
        }
        print(shown, roster, run);
        noteRefused(folder);
        return known.waiting() == 0 ? ExitStatus.DONE : noteWaiting(known.waiting());
    }

    private void print(Roster shown, Roster roster, RecordedRun run) throws IOException {
        PrintWriter out = session().out();
        List<List<String>> rows = new ArrayList<>();
        for (Roster.RosterEntry entry : shown.entries()) {
            long until = entry.isFinished() ? entry.endedAt() : Math.max(run.now(), entry.arrivedAt());
            rows.add(List.of(
                    entry.id(),
                    entry.owner(),
                    Integer.toString(entry.priority()),
                    entry.state(),
                    entry.done() + "/" + entry.tasks(),
                    entry.failed() > 0 ? entry.failed() + " failed" : "",
                    Rounded.time(until - entry.arrivedAt())));
        }
        Table.print(out, List.of("workflow", "owner", "priority", "state", "done", "", "elapsed"), rows, "<<><><>");
        long ended =
                roster.entries().stream().filter(Roster.RosterEntry::isFinished).count();
        out.println(roster.entries().size() - ended + " active, " + ended + " ended"
                + (roster.open() ? "" : "; the service accepts no more workflows"));
        boolean hasEnded = !roster.open() && ended == roster.entries().size();
        if (run.leaseHolder() == null && !hasEnded) {
            out.println("no manager is running; continue with: sheaf serve --state " + run.folder());
        }
    }

    private int noteWaiting(int count) {
        session().out().println(count + " submitted, not yet read by the service");
        return ExitStatus.DONE;
    }

    private void noteRefused(Path folder) throws IOException {
        for (Path why : new ControlFolder(folder).refused()) {
            session().out().println("rejected: " + Files.readString(why).strip());
        }
    }
}
