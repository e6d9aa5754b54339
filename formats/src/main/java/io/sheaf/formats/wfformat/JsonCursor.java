package io.sheaf.formats.wfformat;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * A forward-only cursor over JSON that returns values of the expected type.
 *
 * <p>A property with value null counts as absent. Duplicate keys, deep nesting and too long numbers or strings are errors.
 */
final class JsonCursor {
    static final int DEEPEST = 100;
    static final int LONGEST_STRING = 16 << 20;
    static final int LONGEST_NUMBER = 200;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LONGEST_STRING)
                    .maxNumberLength(LONGEST_NUMBER)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate Object property \"(.*)\"", Pattern.DOTALL);
    private static final int LONGEST = 160;

    private final JsonParser parser;

    private JsonCursor(JsonParser parser) {
        this.parser = parser;
    }
    /** Reads the text, which must be exactly one object. */
    static <T> T readObject(InputStream in, Function<JsonCursor, T> properties) throws IOException {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), in)) {
            return new JsonCursor(parser).only(properties);
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw explain(e, Place.NONE);
        }
    }

    private <T> T only(Function<JsonCursor, T> properties) {
        try {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                String found = parser.currentToken() == null ? "nothing" : kind();
                throw new InputException(
                        "a WfFormat file contains one JSON object in braces, but here is " + found, place());
            }
            T read = properties.apply(this);
            if (parser.nextToken() != null) {
                throw new InputException(
                        "there is " + kind() + " after the end; a WfFormat file contains one JSON object", place());
            }
            return read;
        } catch (JacksonIOException e) {
            throw e;
        } catch (JacksonException e) {
            throw explain(e, place(parser.currentLocation()));
        }
    }

    /** Where the current value starts. */
    long place() {
        return place(parser.currentTokenLocation());
    }

    static long place(@Nullable TokenStreamLocation location) {
        return location == null ? Place.NONE : Place.of(location.getLineNr(), location.getColumnNr());
    }

    /** Reads the properties of an object that are not null; what a reader does not take of a value is skipped. */
    void object(String key, Consumer<String> each) {
        expect(JsonToken.START_OBJECT, key, "an object");
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                each.accept(name);
                // Skips the rest of a list or object that was not read; otherwise does nothing.
                parser.skipChildren();
            }
        }
    }

    void list(String key, Runnable each) {
        expect(JsonToken.START_ARRAY, key, "a list");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            each.run();
        }
    }

    String string(String key) {
        expect(JsonToken.VALUE_STRING, key, "a string");
        return parser.getString();
    }

    List<String> strings(String key) {
        List<String> values = new ArrayList<>();
        list(key, () -> values.add(string(key)));
        return values;
    }

    /** A number of seconds in microseconds; negative if it is. */
    long seconds(String key) {
        BigDecimal seconds = number(key);
        long micros = InputException.at(place(), () -> TimeText.microsOfSeconds(seconds));
        // Rounding must not make a negative time of a few nanoseconds a good one.
        return seconds.signum() < 0 ? Math.min(-1, micros) : micros;
    }

    /** A number between these, times a unit; fractions are rounded up. */
    long whole(String key, long unit, long min, long max) {
        BigDecimal value = number(key);
        long digits = value.precision() - (long) value.scale();
        if (digits <= 0) {
            // Below 1, where spelling it out (1e-999999999) must be avoided.
            value = value.signum() > 0 ? value.max(new BigDecimal("1e-9")) : BigDecimal.ZERO;
        }
        if (digits <= 19) {
            value = value.multiply(BigDecimal.valueOf(unit)).setScale(0, RoundingMode.CEILING);
        }
        if (value.compareTo(BigDecimal.valueOf(min)) < 0 || value.compareTo(BigDecimal.valueOf(max)) > 0) {
            throw new InputException(
                    "'" + key + "' must be between " + min + " and " + max / unit + ", not " + parser.getString(),
                    place());
        }
        return value.longValueExact();
    }

    int whole(String key, int min) {
        return (int) whole(key, 1, min, Integer.MAX_VALUE);
    }

    /** A number of cores below one, in thousandths. */
    int coreShare(String key) {
        BigDecimal value = number(key);
        // Compared before it is spelled out (1e-999999999).
        boolean within = value.compareTo(new BigDecimal("0.001")) >= 0 && value.compareTo(BigDecimal.ONE) < 0;
        if (!within || value.stripTrailingZeros().scale() > 3) {
            throw new InputException(
                    "'" + key + "' must be between 0.001 and 0.999 in steps of 0.001, not " + parser.getString(),
                    place());
        }
        return value.movePointRight(3).intValueExact();
    }

    private BigDecimal number(String key) {
        if (!parser.currentToken().isNumeric()) {
            throw wrongKind(key, "a number");
        }
        try {
            return parser.getDecimalValue();
        } catch (JacksonException | ArithmeticException | NumberFormatException e) {
            throw new InputException("'" + key + "' is out of range", place());
        }
    }

    private void expect(JsonToken token, String key, String expected) {
        if (parser.currentToken() != token) {
            throw wrongKind(key, expected);
        }
    }

    private InputException wrongKind(String key, String expected) {
        return new InputException("'" + key + "' must be " + expected + ", not " + kind(), place());
    }

    private String kind() {
        return switch (parser.currentToken()) {
            case START_OBJECT, END_OBJECT -> "an object";
            case START_ARRAY, END_ARRAY -> "a list";
            case VALUE_STRING, PROPERTY_NAME -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "a truth value";
            case VALUE_NULL -> "null";
            case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> "nothing";
        };
    }

    /** The error and its place; this place if the parser has none. */
    private static InputException explain(JacksonException e, long defaultPlace) {
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
            return new InputException("duplicate key '" + duplicate.group(1) + "' in an object; remove one", place);
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
