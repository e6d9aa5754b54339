package io.sheaf.lab.experiment;

import io.sheaf.formats.NumberText;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.text.InputException;

/**
 * The requested times of background jobs: as recorded, equal to the run time, or the run time times a factor.
 *
 * <p>{@code factor:3} is three times the run time for every job; {@code uniform:3} a random factor between 1 and 3 for each job; {@code mix:3:0.2} the
 * factor for a random fifth of the jobs, and the run time for all other jobs.
 *
 * @param text as written in the file
 * @param share the share of jobs with the factor
 */
public record RequestAccuracy(String text, Kind kind, double factor, double share) {
    private static final String ADVICE = "; write requested, accurate, factor:3, uniform:3 or mix:3:0.2";

    /** The forms of requests. */
    public enum Kind {
        REQUESTED,
        ACCURATE,
        FACTOR,
        UNIFORM,
        MIX
    }

    public static RequestAccuracy of(String text) {
        String[] parts = text.strip().split(":", -1);
        return switch (parts[0] + "/" + (parts.length - 1)) {
            case "requested/0" -> new RequestAccuracy(text, Kind.REQUESTED, 1, 1);
            case "accurate/0" -> new RequestAccuracy(text, Kind.ACCURATE, 1, 1);
            case "factor/1" -> new RequestAccuracy(text, Kind.FACTOR, number(text, parts[1], 1, 1000), 1);
            case "uniform/1" -> new RequestAccuracy(text, Kind.UNIFORM, number(text, parts[1], 1, 1000), 1);
            case "mix/2" ->
                new RequestAccuracy(text, Kind.MIX, number(text, parts[1], 1, 1000), number(text, parts[2], 0, 1));
            default -> throw new InputException("there is no '" + text + "'" + ADVICE);
        };
    }

    private static double number(String all, String part, double min, double max) {
        double value = NumberText.decimal(part);
        if (value >= min && value <= max) {
            return value;
        }
        throw new InputException(
                "in '" + all + "' '" + part + "' is not a number from " + (int) min + " to " + (int) max + ADVICE);
    }

    /** The rule for reading the log; {@link #applied} does the rest. */
    public Estimates rule() {
        return kind == Kind.REQUESTED ? Estimates.REQUESTED : Estimates.ACCURATE;
    }

    /** The jobs of a log with accurate requests, changed to these requests. */
    public JobLog applied(JobLog log, long seed) {
        if (kind == Kind.REQUESTED || kind == Kind.ACCURATE) {
            return log;
        }
        RandomStream stream = new RandomStream(seed).split("accuracy");
        JobLog.Builder jobs = JobLog.builder();
        for (int i = 0; i < log.size(); i++) {
            // A time that the loader added to the request is kept: a factor of 1 changes nothing.
            long more = Math.round(log.run(i) * (factor(stream.split(i)) - 1));
            jobs.add(
                            log.id(i),
                            log.submit(i),
                            log.run(i),
                            log.requested(i) + more,
                            log.nodes(i),
                            log.user(i),
                            log.patience(i))
                    .memory(log.memory(i))
                    .account(log.account(i));
        }
        return jobs.build();
    }

    private double factor(RandomStream stream) {
        return switch (kind) {
            case UNIFORM -> stream.uniform(1, factor);
            case MIX -> stream.chance(share) ? factor : 1;
            default -> factor;
        };
    }

    /** The text in the file. */
    @Override
    public String toString() {
        return text;
    }
}
