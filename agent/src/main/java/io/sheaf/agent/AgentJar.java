package io.sheaf.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A small jar that contains only the agent, created from the running classes. It is in a folder that the nodes can read; the file that
 * Sheaf was started from may not be.
 */
final class AgentJar {
    private static final String PACKAGE = "io/sheaf/agent/";
    /** Any will do, if it is always the same. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    private static final String PRIVATE = "rwx------";

    private AgentJar() {}

    /** The jar in this folder, created if absent. Its name contains a digest of its content. */
    static Path in(Path folder) throws IOException {
        byte[] content = pack(classes());
        CRC32 crc = new CRC32();
        crc.update(content);
        Path jar = folder.resolve(String.format(Locale.ROOT, "agent-%08x.jar", crc.getValue()));
        refuseShared(folder);
        // The content is compared: the jar runs with this user's rights.
        if (!Files.exists(jar) || !Arrays.equals(Files.readAllBytes(jar), content)) {
            Path made = Files.createTempFile(folder, "agent-", ".tmp");
            Files.write(made, content);
            Files.move(made, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return jar;
    }

    /** Folders of other users, or that others can write to, are refused; created ones are private whatever the umask is. */
    private static void refuseShared(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("other users can write to " + folder
                    + ", the folder of the agent's program; remove that permission (chmod go-w), or"
                    + " set SHEAF_CACHE to a folder of your own");
        }
        String owner = Files.getOwner(folder).getName();
        String self = System.getProperty("user.name");
        // Java prints users without a name as "?".
        if (!owner.equals(self) && !"?".equals(self)) {
            throw new IOException(folder + ", the folder of the agent's program, belongs to the user " + owner
                    + "; set SHEAF_CACHE to a folder of your own");
        }
    }

    private static NavigableMap<String, byte[]> classes() throws IOException {
        Path source = source();
        NavigableMap<String, byte[]> classes = new TreeMap<>();
        if (Files.isDirectory(source)) {
            Path top = source.resolve(PACKAGE);
            try (var files = Files.walk(top)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    classes.put(PACKAGE + top.relativize(file), Files.readAllBytes(file));
                }
            }
        } else {
            try (ZipFile zip = new ZipFile(source.toFile())) {
                List<? extends ZipEntry> entries = Collections.list(zip.entries());
                for (ZipEntry entry : entries) {
                    if (entry.getName().startsWith(PACKAGE) && !entry.isDirectory()) {
                        classes.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
                    }
                }
            }
        }
        return classes;
    }

    private static Path source() throws IOException {
        CodeSource source = AgentMain.class.getProtectionDomain().getCodeSource();
        try {
            if (source != null) {
                return Path.of(source.getLocation().toURI());
            }
        } catch (URISyntaxException e) {
            throw new IOException("cannot find the agent's classes: " + e.getMessage(), e);
        }
        throw new IOException("cannot find the agent's classes");
    }

    private static byte[] pack(NavigableMap<String, byte[]> classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            // Stored: the agent reads all of it at once, and unpacking costs more than reading.
            zip.setLevel(0);
            for (var each : classes.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(TIME);
                zip.putNextEntry(entry);
                zip.write(each.getValue());
            }
        }
        return bytes.toByteArray();
    }
}
