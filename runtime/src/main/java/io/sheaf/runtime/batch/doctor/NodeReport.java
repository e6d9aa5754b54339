package io.sheaf.runtime.batch.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of a job on a compute node.
 *
 * @param host its host name
 * @param java the output of Java's version command there; empty if there is none
 * @param reached addresses of this machine that it could connect to
 * @param files its limit of open files
 */
record NodeReport(String host, String java, List<String> reached, String files) {
    /** The last line of a report; without it the report is incomplete. */
    static final String END = "end";

    private static final Pattern RELEASE = Pattern.compile("\"(1\\.)?([0-9]{1,3})");

    /** The script of the job; {@code folder} and {@code java} are quoted for a shell. */
    static String script(String folder, String java, List<String> addresses, int port) {
        return """
            #!/bin/bash
            cd %s || exit 1
            exec 9>report
            echo "host $(hostname)" >&9
            echo "java $(%s -version 2>&1 | head -n 1)" >&9
            echo "files $(ulimit -n)" >&9
            for address in %s; do
                if timeout 5 bash -c "exec 3<>/dev/tcp/$address/%d" 2>/dev/null; then
                    echo "reached $address" >&9
                    first=${first:-$address}
                fi
            done
            if [ -n "$first" ]; then
                exec 3<>"/dev/tcp/$first/%d"
                echo "clock $(date +%%s%%N)" >&3
                echo written >written.new && mv written.new written
                echo written >&3
                exec 3>&-
            fi
            echo end >&9
            """.formatted(folder, java, String.join(" ", addresses), port, port);
    }

    static boolean isWhole(String text) {
        return text.endsWith("\n" + END + "\n");
    }

    static NodeReport parse(String text) {
        String host = "?";
        String java = "";
        String files = "?";
        List<String> reached = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int blank = line.indexOf(' ');
            String value = blank < 0 ? "" : line.substring(blank + 1).strip();
            switch (blank < 0 ? line : line.substring(0, blank)) {
                case "host" -> host = value;
                case "java" -> java = value.contains("version") ? value : "";
                case "files" -> files = value;
                case "reached" -> reached.add(value);
                default -> {}
            }
        }
        return new NodeReport(host, java, reached, files);
    }

    /** The release of Java, such as 17 for {@code openjdk version "17.0.9" 2023-10-17}; 0 if unknown. */
    int javaRelease() {
        Matcher release = RELEASE.matcher(java);
        return release.find() ? Integer.parseInt(release.group(2)) : 0;
    }
}
