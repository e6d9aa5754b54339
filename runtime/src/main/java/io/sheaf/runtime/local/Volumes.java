package io.sheaf.runtime.local;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Puts aside what a service has done, so that neither its journal nor its memory grows for ever: a volume in the folder {@code past}, which can be looked at like a
 * service, and removed.
 *
 * <p>That is done while nothing is left to do and no placeholder is there. The journal goes last: until then the service is one that has done all of it, and then one that has
 * not begun. It gets another id, so that nobody mistakes its placeholders for those of the volumes before.
 */
public final class Volumes {
    private static final String PAST = "past";
    private static final List<String> COPIED = List.of("run.json", "workflow.json", "service.txt", "clock");
    private static final List<String> MOVED = List.of("cluster", "agents", "logs");

    private Volumes() {}

    /** Puts aside all that a service has done; nobody is in charge of it. */
    public static Path putAside(Path folder) throws IOException {
        Path volume = next(folder.resolve(PAST));
        for (String name : COPIED) {
            if (Files.exists(folder.resolve(name))) {
                Files.copy(folder.resolve(name), volume.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (String name : MOVED) {
            if (Files.exists(folder.resolve(name))) {
                Files.move(folder.resolve(name), volume.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        RunSpec spec = RunSpec.read(WorkflowRun.specification(folder));
        RunFolder.replace(
                WorkflowRun.specification(folder),
                spec.named(HexFormat.of().formatHex(random)).text());
        Files.move(folder.resolve("journal"), volume.resolve("journal"), StandardCopyOption.ATOMIC_MOVE);
        return volume;
    }

    private static Path next(Path past) throws IOException {
        Files.createDirectories(past);
        int number = 1;
        while (true) {
            try {
                return Files.createDirectory(past.resolve(String.format(Locale.ROOT, "%04d", number)));
            } catch (FileAlreadyExistsException e) {
                number++;
            }
        }
    }
}
