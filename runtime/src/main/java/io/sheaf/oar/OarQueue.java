package io.sheaf.oar;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.SharedQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The jobs of a user as {@code oarstat} prints them, with the starts that OAR plans. */
record OarQueue(CommandRunner commands, String user) implements SharedQueue.Source {
    @Override
    public String ask() throws IOException, InterruptedException {
        CommandRunner.Answer said = commands.ask("oarstat", "-u", user, "-f", "-J");
        if (!said.isGood()) {
            throw new AwayException("oarstat: " + said.why());
        }
        return said.out();
    }

    @Override
    public List<QueueLine> parse(String text) {
        List<QueueLine> lines = new ArrayList<>();
        OarJson.parse("oarstat", text).objects().forEach((number, job) -> {
            long start = Math.max(job.number("startTime"), job.number("scheduledStart"));
            lines.add(new QueueLine(
                    Long.parseLong(number),
                    OarState.of(job),
                    start == 0 ? -1 : start * 1000,
                    OarState.outlook(job),
                    job.text("message")));
        });
        return lines;
    }
}
