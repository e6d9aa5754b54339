package io.sheaf.formats.yaml;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Converts messages of the YAML parser to messages for the workflow's author. */
final class YamlProblem {
    private YamlProblem() {}

    /** The message for the user; exceptions that do not come from the input are rethrown. */
    static InputException of(RuntimeException problem) {
        if (problem instanceof InputException original) {
            return original;
        }
        Throwable cause = problem;
        while (cause != null) {
            if (cause instanceof IOException io) {
                throw new UncheckedIOException(io);
            }
            if (cause instanceof InputException original) {
                return original;
            }
            cause = cause.getCause();
        }
        if (problem instanceof MarkedYamlEngineException marked) {
            return marked(marked);
        }
        if (problem instanceof YamlEngineException) {
            return new InputException("is not YAML: " + problem.getMessage());
        }
        throw problem;
    }

    private static InputException marked(MarkedYamlEngineException e) {
        Mark mark = e.getProblemMark().orElse(e.getContextMark().orElse(null));
        long place = mark == null ? Place.NONE : Place.of(mark.getLine() + 1L, mark.getColumn() + 1L);
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("TAB")) {
            return new InputException("a tab is used to indent; YAML wants blanks", place);
        }
        if (mark != null && startsWithBrace(line(mark))) {
            return new InputException(
                    "this is not YAML, probably because a value starts with '{'; put such a value in double quotes",
                    place);
        }
        if (problem.startsWith("mapping values are not allowed")) {
            return new InputException(
                    "this line is not indented like the keys above it, or has a value with ': ' that needs quotes",
                    place);
        }
        String context = e.getContext() == null ? "" : " " + e.getContext();
        return new InputException("is not YAML" + context + ": " + problem, place);
    }

    /** Whether a value in this line begins with a variable: {@code in: {sample}.txt}. */
    private static boolean startsWithBrace(String line) {
        for (String lead : new String[] {": {", "- {"}) {
            int at = line.indexOf(lead);
            if (at >= 0 && line.indexOf('}', at) > 0 && line.indexOf(':', at + 1) < 0) {
                return true;
            }
        }
        return false;
    }

    private static String line(Mark mark) {
        int @Nullable [] buffer = mark.getBuffer();
        if (buffer == null) {
            return "";
        }
        int from = Math.min(mark.getPointer(), buffer.length);
        int to = from;
        while (from > 0 && buffer[from - 1] != '\n') {
            from--;
        }
        while (to < buffer.length && buffer[to] != '\n' && buffer[to] != 0) {
            to++;
        }
        return new String(buffer, from, to - from);
    }
}
