package io.sheaf.sim.model;

import io.sheaf.formats.swf.SwfLog;

/** The figures of a generated log, counted job by job. */
record Measured(double jobsPerDay, double meanWidth, double meanRunHours, double load, double requestedLoad) {
    static Measured of(SwfLog log, int nodes) {
        int n = log.size();
        double width = 0;
        double run = 0;
        double work = 0;
        double requested = 0;
        for (int i = 0; i < n; i++) {
            width += log.procs(i);
            run += log.run(i);
            work += (double) log.run(i) * log.procs(i);
            requested += (double) log.requestedTime(i) * log.procs(i);
        }
        double span = log.submit(n - 1) - log.submit(0);
        return new Measured(
                n / (span / 86_400_000), width / n, run / n / 3_600_000, work / span / nodes, requested / span / nodes);
    }
}
