package io.sheaf.lab.experiment;

import java.util.List;
import java.util.function.Function;

/**
 * A kind of experiment: how a file of this kind is recognized and read.
 *
 * @param key a top-level key that only files of this kind have
 * @param value the value of that key, if several kinds share it; otherwise empty
 * @param keys all top-level keys that a file of this kind may have
 * @param reader reads a file; it reports problems to the section and does not open other files
 */
public record ExperimentKind(String key, String value, List<String> keys, Function<Section, Experiment> reader) {
    /** The key that names a study, in files and in manifests. */
    public static final String STUDY = "study";
}
