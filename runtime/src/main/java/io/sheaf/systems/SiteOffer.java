package io.sheaf.systems;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.cluster.Machine;
import io.sheaf.runtime.spec.Site;
import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * What several sites offer a run: their node pools with limits and prices. A pool is named {@code SITE:POOL}, or by its site if that
 * has no choice of pools.
 *
 * @param nodes the fewest cores and the most memory and GPUs of a node, and the most nodes of a job
 * @param problems why sites are left out, each in one line
 */
public record SiteOffer(Nodes nodes, Pools pools, List<String> problems) {
    private static final String SEPARATOR = ":";

    public SiteOffer {
        problems = List.copyOf(problems);
    }

    static boolean isOf(Site site, Pool pool) {
        return pool.name().equals(site.name()) || pool.name().startsWith(site.name() + SEPARATOR);
    }

    /** The pools of a site as its batch system names them; none if it has no choice. */
    static Pools inside(Site site, List<Pool> pools) {
        return Pools.of(pools.stream()
                .filter(pool -> !pool.name().equals(site.name()))
                .map(pool -> pool.named(pool.name().substring(site.name().length() + 1)))
                .toList());
    }

    /** Queries the sites; refused if none answers. */
    public static SiteOffer of(List<Site> sites, Map<String, String> environment) throws InterruptedException {
        List<Pool> pools = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        Nodes combined = new Nodes(0, Integer.MAX_VALUE, 0);
        for (Site site : sites) {
            try {
                BatchCommands commands = site.isLocal() ? null : BatchSystems.commands(site, environment);
                Nodes available = commands == null
                        ? new Nodes(site.nodes(), site.cores(), Machine.memory() / site.nodes())
                        : commands.nodes(site.options());
                Pools own = commands == null ? Pools.NONE : commands.pools(site.options(), available.cores(), false);
                JobLimits limits = commands == null || own.count() > 0
                        ? JobLimits.NONE
                        : commands.limits(site.options(), available.cores());
                add(pools, site, own, available, limits);
                combined = new Nodes(
                        Math.max(combined.count(), available.count()),
                        Math.min(combined.cores(), available.cores()),
                        Math.max(combined.memory(), available.memory()),
                        Math.max(combined.gpus(), available.gpus()),
                        combined.named().equals(NamedAmounts.NONE) ? available.named() : combined.named());
            } catch (UnreachableException | InputException e) {
                problems.add("site " + site.name() + ": " + e.getMessage());
            } catch (IOException e) {
                problems.add("site " + site.name() + " does not answer: " + e.getMessage());
            }
        }
        if (pools.isEmpty()) {
            throw new InputException("no site answers: " + String.join("; ", problems));
        }
        return new SiteOffer(combined, Pools.of(pools), problems);
    }

    private static void add(List<Pool> pools, Site site, Pools own, Nodes available, JobLimits limits) {
        int first = pools.stream().mapToInt(pool -> pool.nodes().length()).max().orElse(0);
        if (own.count() == 0) {
            pools.add(Pool.of(site.name(), first, first + available.count(), limits)
                    .priced(site.price()));
        }
        for (Pool pool : own.all()) {
            BitSet nodes = new BitSet();
            pool.nodes().stream().forEach(node -> nodes.set(first + node));
            pools.add(
                    pool.on(nodes).named(site.name() + SEPARATOR + pool.name()).priced(pool.price() * site.price()));
        }
    }
}
