package io.sheaf.app.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An HTML page in one file: a template with {@code {{names}}}, into which style, scripts and content are put.
 *
 * <p>Its content policy allows this very style and script, told by their hashes, and nothing else: the page loads nothing, sends
 * nothing, and text that slipped in could not run.
 */
public final class Page {
    private static final Pattern NAME = Pattern.compile("\\{\\{([a-z]+)\\}\\}");

    private final String template;
    private final Map<String, String> parts = new LinkedHashMap<>();

    private Page(String template) {
        this.template = template;
    }

    /**
     * A page whose body is made from a template that lies beside a class.
     *
     * @param heading what a browser calls it
     */
    public static Page of(Class<?> beside, String template, String heading) {
        return new Page(resource(Page.class, "head.html") + resource(beside, template)).text("heading", heading);
    }

    /** Puts in text, with what HTML reads as markup escaped. */
    public Page text(String name, String value) {
        return html(name, escape(value));
    }

    /** Puts in markup. */
    public Page html(String name, String markup) {
        parts.put(name, markup);
        return this;
    }

    /** Puts in figures in words, by name, for a list of definitions; the template has them as {@code {{facts}}}. */
    public Page facts(Map<String, String> facts) {
        return html(
                "facts",
                facts.entrySet().stream()
                        .map(fact -> "<div><dt>" + escape(fact.getKey()) + "</dt><dd>" + escape(fact.getValue())
                                + "</dd></div>")
                        .collect(Collectors.joining("\n")));
    }

    /** The style sheet; the template has it as {@code {{style}}}. */
    public Page style(String css) {
        return html("style", css);
    }

    /** The script; the template has it as {@code {{script}}}. */
    public Page script(String javascript) {
        if (javascript.contains("</script")) {
            throw new IllegalArgumentException("a script must not hold its own end tag");
        }
        return html("script", javascript);
    }

    public void write(Writer out) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(parts);
        all.put(
                "contentpolicy",
                "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hash("style") + "; script-src "
                        + hash("script"));
        Matcher matcher = NAME.matcher(template);
        int at = 0;
        while (matcher.find()) {
            String part = all.get(matcher.group(1));
            if (part == null) {
                throw new IllegalStateException("nothing was put in for " + matcher.group());
            }
            out.append(template, at, matcher.start()).append(part);
            at = matcher.end();
        }
        out.append(template, at, template.length());
    }

    private String hash(String part) {
        try {
            byte[] text = parts.getOrDefault(part, "").getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    /** Text as HTML shows it, also inside a quoted attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The text of a file that lies beside a class. */
    public static String resource(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
