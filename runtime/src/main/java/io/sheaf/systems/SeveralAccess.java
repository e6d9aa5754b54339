package io.sheaf.systems;

import io.sheaf.agent.AgentSettings;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.SeveralClusters;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.runtime.spec.Site;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Opens the {@link SeveralClusters} of a run. Each site has a folder {@code sites/NAME} in the run's folder. A site without a pool in
 * the specification did not answer when the run was created, and is not used.
 *
 * @param environment the environment of commands and jobs
 * @param interval the maximum age of the shared snapshot of the user's queue, in milliseconds
 */
record SeveralAccess(Map<String, String> environment, int interval) implements ClusterAccess {
    @Override
    public void check(RunSpec spec, Workflow workflow) {
        if (spec.isWhole()) {
            throw new InputException("several sites do not support --whole; remove that option");
        }
        JobLimits offered = spec.offered(AgentSettings.reserveMillis(AgentSettings.GRACE_MILLIS));
        boolean fixedNodes = BatchSystems.anyHas(spec.where(), BatchSystem.Feature.FIXED_NODES);
        Preflight.check(workflow, spec, offered, fixedNodes, environment);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        List<SeveralClusters.PoolRange> parts = new ArrayList<>();
        List<AutoCloseable> resources = new ArrayList<>();
        String owner = String.valueOf(Journal.owner(around.own().resolve("cluster")));
        for (Site site : spec.where().sites()) {
            List<Pool> pools = spec.pools().all().stream()
                    .filter(pool -> SiteOffer.isOf(site, pool))
                    .toList();
            if (!pools.isEmpty()) {
                Path own = around.own().resolve("sites").resolve(site.name());
                Journal log = Journal.open(own.resolve("cluster"), owner, around.messages());
                Context context = new Context(
                        around.folder(),
                        own,
                        around.launch(),
                        log,
                        around.link(),
                        around.clock(),
                        around.wake(),
                        text -> around.messages().accept("site " + site.name() + ": " + text));
                Pools inside = SiteOffer.inside(site, pools);
                Cluster cluster = BatchSystems.access(site, environment, interval)
                        .open(member(spec, site, pools, inside), context);
                int first = 1 + spec.pools().all().indexOf(pools.get(0));
                parts.add(new SeveralClusters.PoolRange(cluster, first, inside.count()));
                resources.add(log);
            }
        }
        return new SeveralClusters(parts, resources);
    }

    /** The specification of a run that had only the pools of a site. */
    private static RunSpec member(RunSpec spec, Site site, List<Pool> pools, Pools inside) {
        int largest = pools.stream().mapToInt(Pool::size).max().orElse(1);
        return new RunSpecBuilder(spec)
                .on(new Placement(site.system(), site.options()))
                .nodes(largest, spec.node())
                .pools(inside)
                .build();
    }
}
