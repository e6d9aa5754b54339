package io.sheaf.formats.dax;

import io.sheaf.text.InputException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code executable} element of DAX 3: the location of a transformation's program, and profiles for all its jobs.
 *
 * @param program its path; null where the element names none
 */
record DaxExecutable(@Nullable String program, List<PegasusProfile> profiles) {
    static final DaxExecutable UNKNOWN = new DaxExecutable(null, List.of());

    DaxExecutable {
        profiles = List.copyOf(profiles);
    }

    /** The key that matches jobs and executables: namespace, name and version. */
    static String key(XmlCursor xml) {
        return xml.attribute("namespace", "") + "::" + xml.required("name") + ":" + xml.attribute("version", "");
    }

    /** The path in a {@code file:} URL; other URLs and plain paths stay as they are. */
    static String program(String url, long place) {
        if (!url.startsWith("file:")) {
            return url;
        }
        try {
            String path = new URI(url).getPath();
            if (path != null && !path.isEmpty()) {
                return path;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new InputException("'" + url + "' is not the URL of a file; write file:///path/to/program", place);
    }

    /** The inverse of {@link #program}: the URL of a path. */
    static String url(String program) {
        if (!program.startsWith("/") || program.startsWith("//")) {
            return program;
        }
        try {
            return new URI("file", "", program, null).toASCIIString();
        } catch (URISyntaxException e) {
            return program;
        }
    }
}
