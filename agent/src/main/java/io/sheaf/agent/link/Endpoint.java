package io.sheaf.agent.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of the manager with the lease, from its file in the run folder.
 *
 * @param epoch number of the manager within the run, from 1
 * @param host its machine
 * @param pid its process id
 * @param port its port, 0 if it is reached through files only
 * @param addresses its addresses, in the order to try
 */
public record Endpoint(long epoch, String host, long pid, int port, List<String> addresses) {
    public Endpoint {
        addresses = List.copyOf(addresses);
    }

    /** The content of the file, or null if it does not exist. */
    public static @Nullable Endpoint read(Path file) throws IOException {
        try {
            return parse(file, Files.readAllLines(file));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder()
                .append("epoch " + epoch + "\n")
                .append("host " + host + "\n")
                .append("process " + pid + "\n")
                .append("port " + port + "\n");
        addresses.forEach(address -> text.append("address " + address + "\n"));
        RunFolder.replace(file, text.toString());
    }

    private static Endpoint parse(Path file, List<String> lines) throws IOException {
        long epoch = 0;
        long pid = 0;
        int port = 0;
        String host = "";
        List<String> addresses = new ArrayList<>();
        try {
            for (String line : lines) {
                int blank = line.indexOf(' ');
                String value = line.substring(blank + 1);
                switch (blank < 0 ? line : line.substring(0, blank)) {
                    case "epoch" -> epoch = Long.parseLong(value);
                    case "host" -> host = value;
                    case "process" -> pid = Long.parseLong(value);
                    case "port" -> port = Integer.parseInt(value);
                    case "address" -> addresses.add(value);
                    default -> throw new IOException(file + ": what is '" + line + "'?");
                }
            }
        } catch (NumberFormatException e) {
            throw new IOException(file + ": not a number: " + e.getMessage(), e);
        }
        if (epoch < 1) {
            throw new IOException(file + ": no epoch");
        }
        return new Endpoint(epoch, host, pid, port, addresses);
    }
}
