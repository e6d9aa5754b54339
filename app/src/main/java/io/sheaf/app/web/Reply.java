package io.sheaf.app.web;

import io.sheaf.app.page.Page;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a request: text in UTF-8.
 *
 * @param headers besides the type and the common headers
 * @param stream events that follow; null if the body is complete
 */
public record Reply(
        int status,
        String type,
        String body,
        Map<String, String> headers,
        @Nullable Streaming stream) {
    public static final String JSON = "application/json; charset=utf-8";

    /** Sends events until there are no more, or the stream is closed. */
    @FunctionalInterface
    public interface Streaming {
        void send(EventStream to) throws java.io.IOException, InterruptedException;
    }

    public Reply {
        headers = Map.copyOf(headers);
    }

    public static Reply of(String type, String body) {
        return new Reply(200, type, body, Map.of(), null);
    }

    public static Reply json(String text) {
        return json(200, text);
    }

    public static Reply json(int status, String text) {
        return new Reply(status, JSON, text, Map.of(), null);
    }

    public static Reply text(String text) {
        return of("text/plain; charset=utf-8", text);
    }

    /** An error in JSON: {@code {"error": "one line"}}. */
    public static Reply error(int status, String line) {
        return json(status, "{\"error\": " + quoted(line) + "}\n");
    }

    /** An error as a page for browsers. */
    static Reply errorPage(int status, String line) {
        String page =
                "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sheaf</title></head><body><p>"
                        + Page.escape(line) + "</p></body></html>\n";
        return new Reply(status, "text/html; charset=utf-8", page, Map.of(), null);
    }

    public static Reply redirect(String to) {
        return new Reply(303, "text/plain; charset=utf-8", "", Map.of("Location", to), null);
    }

    public static Reply stream(Streaming stream) {
        return new Reply(200, "text/event-stream; charset=utf-8", "", Map.of(), stream);
    }

    public Reply with(String header, String value) {
        Map<String, String> more = new java.util.HashMap<>(headers);
        more.put(header, value);
        return new Reply(status, type, body, more, stream);
    }

    /** A text as a JSON string. */
    private static String quoted(String text) {
        String escaped = text.replaceAll("[\"\\\\]", "\\\\$0");
        return "\"" + escaped.replace('\n', ' ').replace('\t', ' ').replaceAll("[\\x00-\\x1f]", "?") + "\"";
    }
}
