package io.sheaf.runtime.run;

import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.site.SubmissionGate;

/**
 * What connects the loop of a run with its pilot jobs and their agents.
 *
 * @param gate submits pilot jobs to the cluster
 * @param starts the messages that start attempts
 * @param inbox the messages of agents
 */
public record LoopPorts(
        Cluster cluster, SubmissionGate gate, Agents agents, StartMessages starts, EventQueue inbox, RunClock clock) {}
