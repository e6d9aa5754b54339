package io.sheaf.platform;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The platforms that come with Sheaf, P1 to P9 of the published study, and those in files. */
public final class Platforms {
    private static final List<String> NAMES =
            IntStream.rangeClosed(1, 9).mapToObj(number -> "P" + number).toList();

    private Platforms() {}

    /** The platform of this name, or the one in the file that the text names. */
    public static Platform of(String nameOrFile) {
        String upper = nameOrFile.toUpperCase(Locale.ROOT).replace("_", "");
        return NAMES.contains(upper) ? shipped(upper) : read(nameOrFile);
    }

    private static Platform read(String file) {
        if (file.indexOf('.') < 0
                && file.indexOf('/') < 0
                && !Path.of(file).toFile().exists()) {
            throw new InputException("unknown platform '" + file + "'. Known platforms: " + String.join(", ", NAMES)
                    + "; or name a file.");
        }
        return PlatformFile.read(Source.of(Path.of(file)));
    }

    private static Platform shipped(String name) {
        try (InputStream in = Platforms.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the platform " + name + " was not packed");
            }
            return PlatformFile.read(Source.of(name + ".yaml", in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
