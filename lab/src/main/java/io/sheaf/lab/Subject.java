package io.sheaf.lab;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow that is experimented on.
 *
 * @param group what it is counted with, as the file says; may be empty
 * @param isGenerated whether it was made here and not read from a file
 */
record Subject(String name, String group, boolean isGenerated, Workflow workflow) {
    /** A text that is another one for other workflows. */
    static String identity(List<Subject> subjects) {
        StringBuilder text = new StringBuilder();
        for (Subject subject : subjects) {
            text.append(subject.name())
                    .append(subject.workflow())
                    .append(subject.workflow().totalMicros());
        }
        return text.toString();
    }

    /** Notes names that two of them have. */
    static void refuseSameNames(List<Subject> all, Problems problems) {
        Map<String, Subject> seen = new HashMap<>();
        for (Subject each : all) {
            if (seen.put(each.name(), each) != null) {
                problems.add(new InputException("two workflows are called '" + each.name() + "'; name each once"));
            }
        }
    }
}
