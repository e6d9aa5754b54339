package io.sheaf.gridengine;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchCommands.NamedJob;
import io.sheaf.runtime.batch.BatchCommands.Submitted;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.text.InputException;
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Parses the output of Grid Engine's commands; pure functions. */
final class GridEngineAnswers {
    /**
     * Separates the queue from the jobs on user or operator hold; jobs with a dependency have the same state letters.
     */
    static final String HELD = "\n<!-- held -->\n";

    /** The accounting code for an exceeded limit on time, processor time or memory. */
    private static final int LIMIT = 37;

    /** The accounting code for a job ended from outside, for example a deleted one. */
    private static final int KILLED = 100;

    private static final Pattern FIELD = Pattern.compile("(failed|exit_status)\\s+(\\d+).*");
    private static final Pattern NUMBER = Pattern.compile("(?m)^(\\d+)$");

    private GridEngineAnswers() {}

    /** The hard requests of a job but for its time limit, each after a comma, as {@code qstat -j} prints them. */
    static String requests(String printed) {
        return printed.lines()
                .filter(line -> line.startsWith("hard resource_list:"))
                .flatMap(line ->
                        Stream.of(line.substring(line.indexOf(':') + 1).strip().split(",", -1)))
                .filter(each -> !each.startsWith("h_rt="))
                .map(each -> "," + each)
                .collect(Collectors.joining());
    }

    /** Parses the user's jobs from {@code qstat -xml}, followed by {@link #HELD} and the held ones. */
    static List<QueueLine> queue(String text) {
        String[] parts = text.split(HELD);
        List<Long> held = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            jobs(parts[i]).forEach(job -> held.add(number(job)));
        }
        List<QueueLine> lines = new ArrayList<>();
        for (Map<String, String> job : jobs(parts[0])) {
            String letters = letters(job);
            // A job whose start failed stays in the error state until a user clears it.
            Outlook outlook =
                    letters.contains("E") ? Outlook.NEVER : held.contains(number(job)) ? Outlook.HELD : Outlook.STARTS;
            lines.add(new QueueLine(
                    number(job),
                    state(letters),
                    started(job.getOrDefault("JAT_start_time", "")),
                    outlook,
                    outlook == Outlook.NEVER
                            ? "its start failed (" + letters + "), see qstat -j " + number(job)
                            : letters));
        }
        return lines;
    }

    private static List<Map<String, String>> jobs(String text) {
        return elements("job_list", text);
    }

    private static long number(Map<String, String> job) {
        try {
            return Long.parseLong(job.getOrDefault("JB_job_number", ""));
        } catch (NumberFormatException e) {
            throw new InputException("qstat printed a job without a number: " + job);
        }
    }

    static String letters(Map<String, String> job) {
        return job.getOrDefault("state", "");
    }

    /** Parses qstat's local time to milliseconds; −1 if invalid. */
    static long started(String time) {
        try {
            return LocalDateTime.parse(time)
                    .atZone(ZoneId.systemDefault())
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException e) {
            return -1;
        }
    }

    /** The state letters of a job in {@code qstat -xml}; null if it is not listed. */
    static @Nullable String letters(String text, long number) {
        return jobs(text).stream()
                .filter(job -> number(job) == number)
                .map(GridEngineAnswers::letters)
                .findFirst()
                .orElse(null);
    }

    /** Finds jobs with this identity as name in {@code qstat -xml}. */
    static List<NamedJob> found(String text, String name) {
        return jobs(text).stream()
                .filter(job ->
                        BatchCommands.identity(job.getOrDefault("JB_name", "")).equals(name))
                .map(job -> new NamedJob(number(job), state(letters(job))))
                .toList();
    }

    /**
     * Parses state letters such as {@code qw}, {@code hqw}, {@code Eqw}, {@code t}, {@code r}, {@code Rr}, {@code dr}.
     */
    static JobState state(String letters) {
        if (letters.contains("d")) {
            return JobState.ENDING;
        }
        if (letters.contains("q") || letters.contains("w")) {
            return JobState.PENDING;
        }
        return letters.endsWith("t") ? JobState.STARTING : JobState.RUNNING;
    }

    /** Parses the final state from {@code qacct -j}; the last record is the job's, earlier ones are its parts'. */
    static JobState ended(List<String> lines) {
        int failed = 0;
        for (String line : lines) {
            Matcher field = FIELD.matcher(line);
            if (field.matches() && field.group(1).equals("failed")) {
                failed = Integer.parseInt(field.group(2));
            }
        }
        return switch (failed) {
            case LIMIT -> JobState.EXPIRED;
            case KILLED -> JobState.CANCELLED;
            default -> JobState.ENDED;
        };
    }

    /** Parses the output of {@code qsub -terse}. */
    static Submitted submitted(CommandRunner.Answer answer) {
        if (!answer.isGood()) {
            String why = answer.why().replaceAll("(Unable to run job: |; Exiting\\.)", "");
            return Submitted.refused(why, isForLimits(why));
        }
        Matcher matcher = NUMBER.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : GridEngineCommands.UNKNOWN);
    }

    /** Whether a job limit caused the rejection: {@code max_u_jobs}, {@code max_jobs}, or a quota. */
    static boolean isForLimits(String refusal) {
        return refusal.contains("jobs are allowed") || refusal.contains("job limit") || refusal.contains("quota");
    }

    /**
     * All elements of this name in {@code qstat -xml}, as maps from child name to text; a repeated child counts once. A child with a name
     * attribute is in the map by both names, too: {@code hard_request h_rt}.
     */
    static List<Map<String, String>> elements(String name, String text) {
        List<Map<String, String>> found = new ArrayList<>();
        try {
            XMLInputFactory factory = XMLInputFactory.newInstance();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
            XMLStreamReader in = factory.createXMLStreamReader(new StringReader(text));
            while (in.hasNext()) {
                if (in.next() == XMLStreamConstants.START_ELEMENT
                        && in.getLocalName().equals(name)) {
                    found.add(children(in));
                }
            }
        } catch (XMLStreamException e) {
            throw new InputException("qstat printed invalid XML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return found;
    }

    private static Map<String, String> children(XMLStreamReader in) throws XMLStreamException {
        Map<String, String> children = new HashMap<>();
        for (int event = in.next(); event != XMLStreamConstants.END_ELEMENT; event = in.next()) {
            if (event == XMLStreamConstants.START_ELEMENT) {
                String name = in.getLocalName();
                String attribute = in.getAttributeValue(null, "name");
                String text = ownText(in);
                children.putIfAbsent(name, text);
                children.putIfAbsent(name + " " + attribute, text);
            }
        }
        return children;
    }

    /** The text of an element without that of nested elements. */
    private static String ownText(XMLStreamReader in) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        for (int depth = 1; depth > 0; ) {
            int event = in.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (depth == 1 && in.isCharacters()) {
                text.append(in.getText());
            }
        }
        return text.toString().strip();
    }
}
