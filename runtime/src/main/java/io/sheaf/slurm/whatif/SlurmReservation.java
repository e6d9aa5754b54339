package io.sheaf.slurm.whatif;

import java.util.List;

/** A reservation of nodes for some users or for maintenance, from one instant to another, in milliseconds. */
record SlurmReservation(String name, long from, long to, List<String> hosts) {}
