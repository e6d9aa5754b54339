package io.sheaf.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A workflow and a queue for results computed by hand: a (10 min) before b (5 min), and two nodes that another job has
 * from 0 to 1000 s.
 */
final class PairOnTwoNodes {
    private PairOnTwoNodes() {}

    static String workflow(Path folder) throws IOException {
        return Files.writeString(folder.resolve("w.yaml"), """
                        name: pair
                        tasks:
                          a: {time: 10m}
                          b: {time: 5m, after: a}
                        """).toString();
    }

    /**
     * Writes the job log: a first job, which requested 2000 s, and a second one, given as SWF fields without the job
     * number.
     */
    static String log(Path folder, String second) throws IOException {
        return Files.writeString(folder.resolve("log.swf"), """
                        ; MaxNodes: 2
                        1 0 -1 1000 2 -1 -1 2 2000 -1 1 1 1 -1 1 -1 -1 -1
                        2 %s
                        """.formatted(second))
                .toString();
    }
}
