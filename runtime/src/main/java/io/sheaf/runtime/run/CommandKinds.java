package io.sheaf.runtime.run;

import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Names kinds of tasks across runs: the category and a digest of the command that its tasks share.
 *
 * <p>A task's own files and the values in its id do not count, nor do words in which tasks of the category differ. So a
 * category keeps its kind when it gets more tasks, and loses it when its command changes.
 */
public final class CommandKinds implements ExpectedRunTimes.Naming {
    /** Tasks of a category that are compared. */
    private static final int COMPARED = 50;

    /** Files of a task that are recognised in its command. */
    private static final int MAX_FILES = 100;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final String OWN = "{}";
    private static final String VARIES = "*";

    private final Map<String, String> kinds = new HashMap<>();

    /** The kinds of a workflow's tasks. */
    public CommandKinds(Workflow workflow) {
        Map<String, String[]> shared = new HashMap<>();
        Map<String, Integer> compared = new HashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            String category = ExpectedRunTimes.category(workflow, task);
            if (compared.merge(category, 1, Integer::sum) <= COMPARED) {
                shared.merge(category, words(workflow, task, category), CommandKinds::common);
            }
        }
        shared.forEach((category, words) -> kinds.put(category, category + "@" + digest(words)));
    }

    @Override
    public String of(Workflow workflow, int task) {
        String category = ExpectedRunTimes.category(workflow, task);
        return kinds.getOrDefault(category, category);
    }

    /** The words of a command, with the task's own files and values replaced. */
    private static String[] words(Workflow workflow, int task, String category) {
        Command command = workflow.command(task);
        if (command == null) {
            return new String[0];
        }
        String text = String.join(" ", command.argv());
        for (String own : own(workflow, task, category)) {
            Pattern whole = Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(own) + "(?![A-Za-z0-9])");
            text = whole.matcher(text).replaceAll(Matcher.quoteReplacement(OWN));
        }
        // As many files as there are inputs.
        String[] words = BLANKS.split(text);
        return IntStream.range(0, words.length)
                .filter(i -> i == 0 || !words[i].equals(OWN) || !words[i - 1].equals(OWN))
                .mapToObj(i -> words[i])
                .toArray(String[]::new);
    }

    /** File names and the values in the id, the longest first. */
    private static List<String> own(Workflow workflow, int task, String category) {
        Set<String> own = new LinkedHashSet<>();
        workflow.inputNames(task).stream().limit(MAX_FILES).forEach(own::add);
        workflow.outputNames(task).stream().limit(MAX_FILES).forEach(own::add);
        String id = workflow.id(task);
        if (id.startsWith(category + "-")) {
            own.addAll(Arrays.asList(id.substring(category.length() + 1).split("-", -1)));
        }
        own.remove("");
        return own.stream()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static String[] common(String[] a, String[] b) {
        String[] common = new String[Math.min(a.length, b.length)];
        for (int i = 0; i < common.length; i++) {
            common[i] = a[i].equals(b[i]) ? a[i] : VARIES;
        }
        return common;
    }

    private static String digest(String[] words) {
        CRC32C crc = new CRC32C();
        for (String word : words) {
            crc.update((word + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }
}
