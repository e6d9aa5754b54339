package io.sheaf.lab.experiment;

import io.sheaf.report.RunRecord;

/**
 * A run of an experiment, simulated again with all decisions recorded.
 *
 * @param number the run number in the table
 * @param name the workflow and the strategy
 * @param where the other parameters, each with the name of its column
 * @param makespanSeconds as in the table
 */
public record ReplayedRun(long number, RunRecord record, String name, String where, String makespanSeconds) {}
