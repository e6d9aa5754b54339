package io.sheaf.runtime.spec;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Where a run's pilot jobs run.
 *
 * @param system the batch system, or the names of sites, separated by commas
 * @param options passed to the batch system with each submission; none with several sites
 * @param sites the sites; none if {@code system} is the batch system of this machine
 */
public record Placement(String system, List<String> options, List<Site> sites) {
    /** The embedded cluster on this machine. */
    public static final Placement LOCAL = new Placement("local", List.of());

    public Placement {
        options = List.copyOf(options);
        sites = List.copyOf(sites);
    }

    /** A batch system of this machine. */
    public Placement(String system, List<String> options) {
        this(system, options, List.of());
    }

    public static Placement of(List<Site> sites) {
        return new Placement(
                sites.stream().map(Site::name).collect(Collectors.joining(",")),
                sites.size() == 1 ? sites.get(0).options() : List.of(),
                sites);
    }

    /** The sites; at least one. */
    public List<Site> members() {
        return sites.isEmpty() ? List.of(Site.of(system, system, List.of(), options)) : sites;
    }

    /** Whether files have to be copied to a site. */
    public boolean isStaged() {
        return sites.stream().anyMatch(site -> site.staging() != null);
    }

    public boolean isSeveral() {
        return sites.size() > 1;
    }
}
