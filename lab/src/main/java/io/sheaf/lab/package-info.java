/**
 * Experiments: reads an experiment file, runs all combinations that it lists, and writes {@code runs.csv} and {@code manifest.json}.
 *
 * <p>What differs between kinds of experiments is in {@link io.sheaf.lab.experiment}; the registry of kinds is {@code ExperimentKinds}.
 */
@NullMarked
package io.sheaf.lab;

import org.jspecify.annotations.NullMarked;
