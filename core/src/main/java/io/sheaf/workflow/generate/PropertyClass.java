package io.sheaf.workflow.generate;

import java.util.List;
import java.util.Map;

/**
 * One of the 80 classes of random graphs of Yu and Shi: four meshing degrees × four edge lengths × five pairs of node and edge
 * weight (see {@link RandomDag}, which takes these words as parameters).
 *
 * <p>Classes are numbered from 1; the weights change fastest, the meshing degree slowest. Class 80 is random in everything.
 */
public record PropertyClass(String meshing, String edgeLength, String nodeWeight, String edgeWeight) {
    public static final int COUNT = 80;

    /** The minimum and maximum number of jobs of a graph in the group that the paper uses. */
    public static final int MIN_JOBS = 175;

    public static final int MAX_JOBS = 249;

    /** The bytes of an edge of weight 1: moved in one second, the unit of node weights, at 1 MB/s. */
    public static final long BYTES_PER_WEIGHT = 1_000_000;

    private static final List<String> DEGREES = List.of("low", "medium", "high", "random");
    private static final List<List<String>> WEIGHTS = List.of(
            List.of("high", "high"),
            List.of("high", "low"),
            List.of("low", "low"),
            List.of("low", "high"),
            List.of("random", "random"));

    /** The class with this number, 1 … 80. */
    public static PropertyClass of(int number) {
        if (number < 1 || number > COUNT) {
            throw new IllegalArgumentException("class " + number + " is not in 1 to " + COUNT);
        }
        int weights = (number - 1) % WEIGHTS.size();
        int degrees = (number - 1) / WEIGHTS.size();
        return new PropertyClass(
                DEGREES.get(degrees / DEGREES.size()),
                DEGREES.get(degrees % DEGREES.size()),
                WEIGHTS.get(weights).get(0),
                WEIGHTS.get(weights).get(1));
    }

    /** The parameters of the family {@code random} for this class. */
    public Map<String, String> parameters() {
        return Map.of(
                "meshing", meshing, "edge-length", edgeLength, "node-weight", nodeWeight, "edge-weight", edgeWeight);
    }
}
