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
 * A self-contained HTML page: a template with {@code {{names}}} for style, scripts and content.
 *
 * <p>Its content security policy allows only this style and script, by their hashes. The page loads and sends nothing,
 * and injected text cannot run.
 */
public final class Page {
    private static final Pattern NAME = Pattern.compile("\\{\\{([a-z]+)\\}\\}");

    private final String template;
    private final Map<String, String> parts = new LinkedHashMap<>();

    private Page(String template) {
        this.template = template;
    }

    /**
     * Creates a page from a template beside a class.
     *
     * @param heading the page's title
     */
    public static Page of(Class<?> owner, String template, String heading) {
        return new Page(resource(Page.class, "head.html") + resource(owner, template)).text("heading", heading);
    }

    /** Inserts escaped text. */
    public Page text(String name, String value) {
        return html(name, escape(value));
    }

    public Page html(String name, String markup) {
        parts.put(name, markup);
        return this;
    }

    /** Inserts figures by name as a definition list at {@code {{facts}}}. */
    public Page facts(Map<String, String> facts) {
        return html(
                "facts",
                facts.entrySet().stream()
                        .map(fact -> "<div><dt>" + escape(fact.getKey()) + "</dt><dd>" + escape(fact.getValue())
                                + "</dd></div>")
                        .collect(Collectors.joining("\n")));
    }

    /** Sets the style sheet at {@code {{style}}}: that of all pages, and this. */
    public Page style(String css) {
        return html("style", resource(Page.class, "page.css") + css);
    }

    /** Sets the script at {@code {{script}}}. */
    public Page script(String javascript) {
        if (javascript.contains("</script")) {
            throw new IllegalArgumentException("a script must not contain its own end tag");
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
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Escapes text for HTML, including quoted attributes. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    public static String resource(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
