package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A driver of own jobs that performs random operations, records all events, and checks invariants. */
final class OwnJobs extends Seen {
    private static final int MAX = 8;

    private static final class Job {
        final int handle;
        final int units;
        long walltime;
        long limit = NEVER;
        long end = NEVER;

        Job(int handle, int units, long walltime) {
            this.handle = handle;
            this.units = units;
            this.walltime = walltime;
        }

        Job(Job other) {
            this(other.handle, other.units, other.walltime);
            limit = other.limit;
            end = other.end;
        }
    }

    private final JobLog log;
    private final List<Job> jobs = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    private RandomStream random;
    private long now;
    private int used;
    int expired;
    int completed;

    OwnJobs(JobLog log, RandomStream random) {
        super(log.size());
        this.log = log;
        this.random = random;
    }

    /** Continues from the state of another driver, with other random numbers. */
    OwnJobs(OwnJobs other, RandomStream random) {
        super(other);
        log = other.log;
        this.random = random;
        other.jobs.forEach(j -> jobs.add(new Job(j)));
        events.addAll(other.events);
        used = other.used;
    }

    /** Simulates everything before an instant. */
    void simulate(SimulatedQueue queue, long until, boolean acts) {
        while (true) {
            long end = jobs.stream().mapToLong(j -> j.end).min().orElse(NEVER);
            long at = Math.min(queue.next(), end);
            if (at >= until) {
                return;
            }
            now = at;
            queue.ends(at, this);
            for (Job j : jobs.stream().filter(j -> j.end == at).toList()) {
                queue.complete(j.handle);
                leave(j, "completes");
                completed++;
            }
            queue.kills(this);
            queue.arrivals(this);
            if (acts && random.chance(0.6)) {
                act(queue);
            }
            queue.pass(this);
            assertThat(used).as("nodes in use at %d", at).isLessThanOrEqualTo(RandomLogs.NODES);
            assertThat(queue.engine().idle()).isEqualTo(RandomLogs.NODES - used);
            assertThat(queue.ownJobs()).isEqualTo(jobs.size());
        }
    }

    private void act(SimulatedQueue queue) {
        Job job = jobs.isEmpty() ? null : jobs.get(random.nextInt(jobs.size()));
        int action = random.nextInt(8);
        if (job != null && action == 0) {
            queue.cancel(job.handle);
            leave(job, "cancelled");
        } else if (job != null && action == 1 && job.limit == NEVER) {
            job.walltime = 1 + random.nextLong(job.walltime);
            queue.shorten(job.handle, job.walltime);
        } else if (jobs.size() < MAX) {
            int units = 1 + random.nextInt(random.chance(0.5) ? RandomLogs.NODES : 3);
            long walltime = 1L + random.nextInt(30);
            Submission request = Submission.of(units, walltime);
            if (job != null && action == 2) {
                request.eligibleAfter(job.handle);
            }
            int handle = queue.submit(request);
            events.add(now + " submitted " + handle);
            if (handle >= 0) {
                jobs.add(new Job(handle, units, walltime));
            }
        }
    }

    @Override
    public void started(int handle) {
        Job job = job(handle);
        events.add(now + " starts " + handle);
        used += job.units;
        job.limit = now + job.walltime;
        // A third expires; some other jobs end exactly at their limit, which counts as completed.
        job.end = random.chance(0.3) ? NEVER : now + Math.min(job.walltime, 1 + random.nextInt(30));
    }

    @Override
    public void expired(int handle) {
        Job job = job(handle);
        assertThat(now).isEqualTo(job.limit);
        assertThat(job.end).as("ends are handled before kills").isGreaterThan(now);
        leave(job, "expires");
        expired++;
    }

    @Override
    public void backgroundStarted(int job, long at) {
        super.backgroundStarted(job, at);
        assertThat(at).isEqualTo(now);
        used += log.nodes(job);
    }

    @Override
    public void backgroundLeft(int job, long at, JobOutcome outcome) {
        super.backgroundLeft(job, at, outcome);
        if (outcome == JobOutcome.COMPLETED || outcome == JobOutcome.KILLED) {
            assertThat(at - start[job]).isEqualTo(Math.min(log.run(job), log.requested(job)));
            used -= log.nodes(job);
        }
    }

    private void leave(Job job, String outcome) {
        events.add(now + " " + outcome + " " + job.handle);
        used -= job.limit == NEVER ? 0 : job.units;
        jobs.remove(job);
    }

    private Job job(int handle) {
        return jobs.stream()
                .filter(j -> j.handle == handle)
                .min(Comparator.comparingInt(j -> j.handle))
                .orElseThrow();
    }
}
