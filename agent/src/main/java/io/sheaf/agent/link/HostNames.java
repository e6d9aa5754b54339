package io.sheaf.agent.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The names and addresses of this machine. */
public final class HostNames {
    private HostNames() {}

    /** The machine's name, without a query to a name server, which may take seconds. */
    public static String own() {
        try {
            Path file = Path.of("/proc/sys/kernel/hostname");
            if (Files.isReadable(file)) {
                return Files.readString(file).strip();
            }
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** The batch system's name of this node, which the script of the pilot job sets; otherwise the machine's name. */
    public static String node() {
        String name = System.getenv("SHEAF_NODE_NAME");
        return name == null || name.isEmpty() ? own() : name;
    }

    /** The addresses under which other machines reach a socket on this address; all interfaces if it is empty. */
    public static List<String> addresses(String listening) throws IOException {
        if (!listening.isEmpty()) {
            return List.of(InetAddress.getByName(listening).getHostAddress());
        }
        List<String> addresses = new ArrayList<>();
        for (NetworkInterface device : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (device.isUp() && !device.isLoopback()) {
                for (InetAddress address : Collections.list(device.getInetAddresses())) {
                    if (!address.isLinkLocalAddress()) {
                        addresses.add(address.getHostAddress());
                    }
                }
            }
        }
        // The loopback address serves agents on this machine; elsewhere no process with the run's key answers there.
        addresses.add(InetAddress.getLoopbackAddress().getHostAddress());
        return addresses;
    }
}
