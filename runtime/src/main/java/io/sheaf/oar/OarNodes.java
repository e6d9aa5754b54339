package io.sheaf.oar;

import io.sheaf.runtime.batch.Nodes;
import io.sheaf.text.InputException;
import java.util.HashMap;
import java.util.Map;

/** The nodes of a cluster. OAR knows of resources, several of which have one address: they are taken for the cores of a node. */
final class OarNodes {
    private OarNodes() {}

    /** Those that {@code oarnodes -J} tells of and that are in service, or asleep to save energy. */
    static Nodes parse(String text, long nowSeconds) {
        Map<String, Integer> cores = new HashMap<>();
        for (OarJson resource : OarJson.parse("oarnodes", text).objects().values()) {
            if (isUsable(resource, nowSeconds)) {
                cores.merge(resource.text("network_address"), 1, Integer::sum);
            }
        }
        int least = cores.values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElseThrow(
                        () -> new InputException(
                                "no node is in service: oarnodes tells of none that is Alive. Wait, or ask the site's engineers"));
        return new Nodes(cores.size(), least, 0);
    }

    /** Whether jobs run there, now or when it is woken up. */
    static boolean isUsable(OarJson resource, long nowSeconds) {
        boolean asleep = resource.text("state").equals("Absent") && resource.number("available_upto") > nowSeconds;
        return resource.text("type").equals("default")
                && (resource.text("state").equals("Alive") || asleep);
    }
}
