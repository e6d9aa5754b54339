package io.sheaf.lab;

import io.sheaf.report.Job;
import java.util.List;

/**
 * How well the starts of a run's pilot jobs were foreseen when they were submitted: those that started, and whose start was foreseen.
 *
 * @param foreseenMillis the sum of the waits that were foreseen
 * @param actualMillis the sum of the waits that came
 * @param errorMillis the sum of the differences, all counted as positive
 * @param onTime how many started within a twentieth of the wait foreseen, or within a minute
 */
record StartErrors(int jobs, long foreseenMillis, long actualMillis, long errorMillis, int onTime) {
    /** The columns where nobody asked. */
    static final String NOT_ASKED = ",,,,";

    private static final long TWENTIETH = 20;
    private static final long MINUTE = 60_000;

    static StartErrors of(List<Job> pilotJobs) {
        int jobs = 0;
        long foreseen = 0;
        long actual = 0;
        long error = 0;
        int onTime = 0;
        for (Job job : pilotJobs) {
            if (job.hasStarted() && job.wasExpected()) {
                long wait = job.expectedStart() - job.submitted();
                long off = Math.abs(job.started() - job.expectedStart());
                jobs++;
                foreseen += wait;
                actual += job.started() - job.submitted();
                error += off;
                onTime += off <= Math.max(MINUTE, wait / TWENTIETH) ? 1 : 0;
            }
        }
        return new StartErrors(jobs, foreseen, actual, error, onTime);
    }

    /** The columns of the table. */
    String text() {
        return String.join(
                ",",
                Integer.toString(jobs),
                RunTable.seconds(foreseenMillis),
                RunTable.seconds(actualMillis),
                RunTable.seconds(errorMillis),
                Integer.toString(onTime));
    }
}
