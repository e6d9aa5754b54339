package io.sheaf.app.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Colours of lines on a terminal, by what they report: failures and errors red, retries and warnings yellow, success green. As a
 * writer it paints whole lines; text without a line end, and lines with control characters, pass unchanged.
 */
public final class Paint extends FilterWriter {
    private static final String ESCAPE = "\u001b[";
    private static final String RED = ESCAPE + "31m";
    private static final String GREEN = ESCAPE + "32m";
    private static final String YELLOW = ESCAPE + "33m";
    private static final String PLAIN = ESCAPE + "0m";
    private static final Pattern FAILED = Pattern.compile("^ *[0-9.]+ s  .* (failed|rejected): |^ *[0-9.]+ s  .* lost$"
            + "|^state +(failed|cancelled)|^failed  +|^tasks  .* [1-9][0-9,]* failed");
    private static final Pattern WARNED = Pattern.compile(
            "^ *[0-9.]+ s  .* (retried \\(|stopped: )|^state +(paused|interrupted)|^sheaf: (note|warning): ");
    private static final Pattern SUCCEEDED =
            Pattern.compile("^state +done|^tasks  +([0-9,]+) done, 0 failed, 0 skipped of \\1(;|$)");

    private final StringBuilder line = new StringBuilder();

    public Paint(Writer out) {
        super(out);
    }

    /** Whether output to a terminal has colours: not if {@code NO_COLOR} is set, nor on a dumb terminal. */
    public static boolean isEnabled(boolean terminal, Map<String, String> environment) {
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** An error in red. */
    public static String error(String text) {
        return RED + text + PLAIN;
    }

    /** A line in the colour of what it reports. */
    public static String line(String line) {
        int done = line.lastIndexOf('#');
        if (line.startsWith("progress") && done > 0) {
            int from = line.indexOf('#');
            return line.substring(0, from) + GREEN + line.substring(from, done + 1) + PLAIN + line.substring(done + 1);
        }
        String colour = FAILED.matcher(line).find()
                ? RED
                : WARNED.matcher(line).find() ? YELLOW : SUCCEEDED.matcher(line).find() ? GREEN : "";
        return colour.isEmpty() ? line : colour + line + PLAIN;
    }

    @Override
    public void write(int c) throws IOException {
        write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        write(text.toCharArray(), from, length);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        for (int i = from; i < from + length; i++) {
            if (text[i] == '\n') {
                String whole = line.toString();
                line.setLength(0);
                out.write(isPlain(whole) ? line(whole) : whole);
                out.write('\n');
            } else {
                line.append(text[i]);
            }
        }
    }

    private static boolean isPlain(String text) {
        return text.indexOf('\u001b') < 0 && text.indexOf('\r') < 0;
    }

    @Override
    public void flush() throws IOException {
        out.write(line.toString());
        line.setLength(0);
        out.flush();
    }
}
