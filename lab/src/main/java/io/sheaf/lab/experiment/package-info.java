/**
 * The parts of an experiment file and the seam for kinds of experiments.
 *
 * <p>A kind is an {@link io.sheaf.lab.experiment.ExperimentKind}: the keys of its file and how to read it into an {@link io.sheaf.lab.experiment.Experiment}. An experiment lists
 * {@linkplain io.sheaf.lab.experiment.RunBlock blocks} of items and runs one item to rows of {@code runs.csv}. To add a kind, write one package with these classes and add one line to
 * {@code io.sheaf.lab.ExperimentKinds}. Numbering, fractions, shards, threads, resuming, merging, manifest and reports are shared by all kinds.
 */
@NullMarked
package io.sheaf.lab.experiment;

import org.jspecify.annotations.NullMarked;
