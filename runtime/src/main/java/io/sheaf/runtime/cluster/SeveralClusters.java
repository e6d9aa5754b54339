package io.sheaf.runtime.cluster;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several clusters as one. The node pools of each are pools of the whole; the pool of a request selects the cluster.
 *
 * <h2>Members</h2>
 * Each has its own log, batch system and estimates. A pilot job belongs to the member whose log has it, so a restarted manager
 * finds it again without further records.
 *
 * <h2>A member that does not answer</h2>
 * Its jobs stay known, and its running agents continue. The manager submits no jobs there, and estimates put the starts of queued
 * ones far into the future. Its pilot jobs that are cancelled and have not started end after {@value #TIMEOUT_MILLIS} ms, so that a run can end without it.
 */
public final class SeveralClusters implements Cluster {
    private static final long TIMEOUT_MILLIS = 60_000;

    /** The estimated wait at a member that does not answer, in milliseconds. */
    private static final long FAR = 30L * 24 * 3600 * 1000;

    private final List<Member> members;
    private final List<AutoCloseable> resources;
    /** The member of each pilot job, as far as it was needed. */
    private final Map<Long, Member> owners = new HashMap<>();

    /**
     * A cluster of several.
     *
     * @param first the number of its first pool
     * @param pools the number of its pools; 0 if it has no choice, and is one pool itself
     */
    public record PoolRange(Cluster cluster, int first, int pools) {
        boolean has(int pool) {
            return pool >= first && pool < first + Math.max(1, pools);
        }

        /** An event of the cluster, with the numbers of its pools here. */
        Event localEvent(Event event) {
            if (event instanceof Event.Preemptible preemptible) {
                return new Event.Preemptible(event.at(), first + preemptible.pool() - 1, preemptible.mean());
            }
            return event instanceof Event.Placed placed ? placed.in(first, Math.max(1, pools)) : event;
        }

        /** The number of a pool among those of the cluster. */
        int own(int pool) {
            return pools == 0 || pool == Pools.ANY ? Pools.ANY : pool - first + 1;
        }
    }

    private static final class Member {
        final PoolRange part;
        final Cluster cluster;
        /** Since when it has not answered; {@link #NEVER} if it answers. */
        long unavailableSince = NEVER;
        /** Whether the manager knows that; an earlier one may have known otherwise. */
        boolean unreachableReported;

        Member(PoolRange part) {
            this.part = part;
            cluster = part.cluster();
        }
    }

    /**
     * Clusters as one.
     *
     * @param resources to be closed behind the clusters
     */
    public SeveralClusters(List<PoolRange> parts, List<? extends AutoCloseable> resources) {
        members = parts.stream().map(Member::new).toList();
        this.resources = List.copyOf(resources);
    }

    private Member owner(long token) {
        return owners.computeIfAbsent(token, unknown -> members.stream()
                .filter(each -> each.cluster.hasJob(token))
                .findFirst()
                .orElse(members.get(0)));
    }

    private Member ofPool(int pool) {
        return members.stream().filter(each -> each.part.has(pool)).findFirst().orElse(members.get(0));
    }

    // --- commands ---

    @Override
    public void submit(long token, Request request) {
        Member member = ofPool(request.pool());
        owners.put(token, member);
        member.cluster.submit(token, request.in(member.part.own(request.pool())));
    }

    @Override
    public void cancel(long token) {
        owner(token).cluster.cancel(token);
    }

    @Override
    public void shorten(long token, long walltime) {
        owner(token).cluster.shorten(token, walltime);
    }

    @Override
    public void release(long token) {
        owner(token).cluster.release(token);
    }

    @Override
    public void ending(long token) {
        owner(token).cluster.ending(token);
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        for (Member member : members) {
            member.cluster.reconcile(
                    tokens.stream().filter(token -> owner(token) == member).toList());
        }
    }

    @Override
    public boolean hasJob(long token) {
        return members.stream().anyMatch(each -> each.cluster.hasJob(token));
    }

    @Override
    public @Nullable FileStaging files(long token) {
        return owner(token).cluster.files(token);
    }

    @Override
    public void received(AgentId agent, Message message) {
        owner(agent.token()).cluster.received(agent, message);
    }

    @Override
    public long turn(long now, Consumer<Event> to) throws IOException {
        long due = NEVER;
        for (Member member : members) {
            due = Math.min(due, member.cluster.turn(now, event -> to.accept(member.part.localEvent(event))));
            boolean answers = member.cluster.isAnswering();
            if (!member.unreachableReported || answers != (member.unavailableSince == NEVER)) {
                member.unreachableReported = true;
                member.unavailableSince = answers ? NEVER : now;
                to.accept(new Event.PoolsUnavailable(
                        now, member.part.first(), Math.max(1, member.part.pools()), !answers));
            }
            if (!answers && now - member.unavailableSince >= TIMEOUT_MILLIS) {
                member.cluster.endCancelled();
            }
        }
        return due;
    }

    // --- estimates ---

    @Override
    public StartEstimator estimator() {
        return new Estimates(Cluster::estimator);
    }

    @Override
    public StartEstimator sampledStarts() {
        return new Estimates(Cluster::sampledStarts);
    }

    /** Each member estimates the jobs of its pools. */
    private final class Estimates implements StartEstimator {
        private final List<StartEstimator> each;
        private final StartQuery part = new StartQuery();
        private final StartTimes times = new StartTimes();
        private Basis basis;

        Estimates(Function<Cluster, StartEstimator> of) {
            each = members.stream().map(member -> of.apply(member.cluster)).toList();
            basis = each.get(0).basis();
        }

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis);
            int answered = query.jobs();
            for (int m = 0; m < members.size(); m++) {
                Member member = members.get(m);
                int[] jobs = IntStream.range(0, query.jobs())
                        .filter(i -> ofPool(query.pool(i)) == member)
                        .toArray();
                int[] queued = IntStream.range(0, query.queued())
                        .filter(i -> owner(query.token(i)) == member)
                        .toArray();
                if (jobs.length + queued.length == 0) {
                    continue;
                }
                part.begin(query.now(), query.arrangement()).needing(query.memory());
                for (int job : jobs) {
                    part.add(member.part.own(query.pool(job)), query.units(job), query.walltime(job));
                }
                long[] tokens = Arrays.stream(queued).mapToLong(query::token).toArray();
                part.queued(tokens, tokens.length);
                if (query.cancelled() != StartQuery.NONE && owner(query.cancelled()) == member) {
                    part.cancelling(query.cancelled());
                }
                if (query.needsQuantiles()) {
                    part.withQuantiles();
                }
                each.get(m).estimate(part, times);
                basis = times.basis();
                boolean unavailable = member.unavailableSince != NEVER;
                for (int i = 0; i < queued.length; i++) {
                    answer.queued(queued[i], unavailable ? query.now() + FAR : times.queued(i));
                }
                answered = times.answered() < jobs.length ? Math.min(answered, jobs[times.answered()]) : answered;
                for (int i = 0; i < times.answered(); i++) {
                    answer.job(jobs[i], unavailable ? query.now() + FAR : times.job(i));
                    Quantiles waits = times.waits(i);
                    if (waits != null && !unavailable) {
                        answer.waits(jobs[i], waits);
                    }
                }
            }
            answer.basis(basis);
            answer.answered(answered);
        }

        @Override
        public Basis basis() {
            return basis;
        }
    }

    // --- the whole ---

    @Override
    public long reserve() {
        return members.stream().mapToLong(each -> each.cluster.reserve()).max().orElse(0);
    }

    @Override
    public long longest() {
        return members.stream().mapToLong(each -> each.cluster.longest()).max().orElse(NEVER);
    }

    @Override
    public void abandon() throws InterruptedException {
        for (Member member : members) {
            member.cluster.abandon();
        }
    }

    @Override
    public void close() {
        members.forEach(each -> each.cluster.close());
        for (AutoCloseable each : resources) {
            try {
                each.close();
            } catch (Exception e) {
                // What was committed is durable.
                System.getLogger(SeveralClusters.class.getName()).log(System.Logger.Level.DEBUG, "closing", e);
            }
        }
    }
}
