package io.sheaf.formats.yaml;

import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The map of {@code retry}: {@code {times: 3, memory: x2, time: x1.5, on: [oom, limit]}}. */
final class RetryRule {
    private static final String TIMES = "times";
    private static final String MEMORY = "memory";
    private static final String TIME = "time";
    private static final String ON = "on";
    private static final List<String> KEYS = List.of(TIMES, MEMORY, TIME, ON);
    private static final String FAILURE = "failure";
    private static final String OOM = "oom";
    private static final String LIMIT = "limit";
    private static final List<String> CAUSES = List.of(FAILURE, OOM, LIMIT);
    private static final Pattern FACTOR = Pattern.compile("x(\\d{1,3}(?:\\.\\d{1,2})?)");

    private RetryRule() {}

    static void check(Mapping rule) {
        NodeTypes.checkKeys(rule, "'retry'", KEYS);
        times(rule);
        of(rule);
    }

    static int times(Mapping rule) {
        Node times = rule.get(TIMES);
        if (times == null) {
            throw new InputException("'retry' needs 'times', the number of retries", rule.place());
        }
        return NodeTypes.whole(NodeTypes.text(times, TIMES).text(), TIMES, 0, times.place());
    }

    static Retry of(Mapping rule) {
        int time = factor(rule, TIME, 100);
        Node on = rule.get(ON);
        List<String> causes = on == null
                ? time > 100 ? CAUSES : List.of(FAILURE, OOM)
                : NodeTypes.texts(on, ON).stream().map(Text::text).toList();
        for (String cause : causes) {
            if (!CAUSES.contains(cause)) {
                throw new InputException(
                        "'on' lists some of " + String.join(", ", CAUSES) + ", not '" + cause + "'",
                        on == null ? rule.place() : on.place());
            }
        }
        if (causes.contains(LIMIT) && time == 100) {
            throw new InputException(
                    "a retry after the limit needs a longer one; add 'time: x2' or remove 'limit'", rule.place());
        }
        return new Retry(
                factor(rule, MEMORY, 0), time, causes.contains(FAILURE), causes.contains(OOM), causes.contains(LIMIT));
    }

    private static int factor(Mapping rule, String key, int defaultValue) {
        Node node = rule.get(key);
        if (node == null) {
            return defaultValue;
        }
        Text text = NodeTypes.text(node, key);
        var form = FACTOR.matcher(text.text());
        int percent = form.matches() ? (int) Math.round(100 * Double.parseDouble(form.group(1))) : 0;
        if (percent < 100) {
            throw new InputException(
                    "'" + key + "' of 'retry' must be a factor such as x2 or x1.5, not '" + text.text() + "'",
                    text.place());
        }
        return percent;
    }

    static String text(int times, Retry retry) {
        List<String> parts = new ArrayList<>();
        parts.add(TIMES + ": " + times);
        if (retry.memoryPercent() != 0) {
            parts.add(MEMORY + ": " + factor(retry.memoryPercent()));
        }
        if (retry.timePercent() != 100) {
            parts.add(TIME + ": " + factor(retry.timePercent()));
        }
        List<String> causes = new ArrayList<>();
        if (retry.onFailure()) {
            causes.add(FAILURE);
        }
        if (retry.onMemory()) {
            causes.add(OOM);
        }
        if (retry.onLimit()) {
            causes.add(LIMIT);
        }
        parts.add(ON + ": [" + String.join(", ", causes) + "]");
        return "{" + String.join(", ", parts) + "}";
    }

    private static String factor(int percent) {
        return "x" + DecimalText.fixed(percent / 100.0, 2);
    }
}
