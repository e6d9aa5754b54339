package io.sheaf.slurm.whatif;

import java.util.List;

/** Nodes that are kept for some users, or for maintenance, from one instant to another, in milliseconds. */
record SlurmReservation(String name, long from, long to, List<String> hosts) {}
