package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Converts messages of the JSON parser to one line. */
final class JsonErrors {
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate Object property \"(.*)\"", Pattern.DOTALL);
    private static final int LONGEST = 160;

    private JsonErrors() {}

    /** The error and its place; this place if the parser has none. */
    static InputException explain(JacksonException e, long defaultPlace) {
        long place = e.getLocation() == null ? defaultPlace : JsonCursor.place(e.getLocation());
        if (e instanceof UnexpectedEndOfInputException) {
            return new InputException("the text ends in the middle; the file is incomplete", place);
        }
        if (e instanceof StreamConstraintsException) {
            return new InputException(limit(e.getOriginalMessage()), place);
        }
        @Nullable String original = e.getOriginalMessage();
        String message = original == null ? "" : original;
        Matcher duplicate = DUPLICATE.matcher(message);
        if (duplicate.matches()) {
            return new InputException("'" + duplicate.group(1) + "' stands twice in one object; keep one", place);
        }
        return new InputException("this is not JSON: " + shortened(message), place);
    }

    private static String limit(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("nesting depth")) {
            return "lists and objects nest more than " + JsonCursor.DEEPEST + " deep; Sheaf does not read that";
        }
        if (lower.contains("number")) {
            return "a number has more than " + JsonCursor.LONGEST_NUMBER + " characters; Sheaf does not read that";
        }
        if (lower.contains("string")) {
            return "a string has more than " + JsonCursor.LONGEST_STRING + " characters; Sheaf does not read that";
        }
        return "this is too large for Sheaf: " + shortened(message);
    }

    /** The first sentence of a message, without the parser's own details. */
    private static String shortened(String message) {
        int end = message.indexOf('\n');
        String first = end < 0 ? message : message.substring(0, end);
        return first.length() <= LONGEST ? first : first.substring(0, LONGEST) + "…";
    }
}
