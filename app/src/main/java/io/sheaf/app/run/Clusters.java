package io.sheaf.app.run;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.config.SiteSettings;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.Site;
import io.sheaf.systems.BatchSystems;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates access to clusters from the options of the command line. */
public final class Clusters {
    public static final List<String> NAMES = Stream.concat(
                    Stream.of(Placement.LOCAL.system()), BatchSystems.names().stream())
            .toList();

    private Clusters() {}

    /** Rejects a misused {@code --on} or batch option. */
    public static void check(String on, BatchOptions batch, List<String> passedOn, Session session) {
        List<String> known = new ArrayList<>(NAMES);
        known.addAll(session.configuration().sites().keySet());
        List<String> names = List.of(on.split(",", -1));
        for (String each : names) {
            UsageException.unless(
                    known.contains(each), Choice.unknown("--on", each, known).problem());
        }
        UsageException.unless(
                passedOn.isEmpty() || passedOn.get(0).startsWith("-"),
                "unexpected argument '" + String.join(" ", passedOn.subList(0, Math.min(1, passedOn.size())))
                        + "'; options of the batch system go after --");
        boolean plain = batch.terms(passedOn).isEmpty();
        UsageException.unless(Set.copyOf(names).size() == names.size(), "--on " + on + ": names a site twice");
        UsageException.unless(
                names.size() == 1 || plain,
                "'" + batch.first(passedOn)
                        + "' cannot be used with several sites; set it for each site in the configuration");
        UsageException.unless(
                batch.clusters == null
                        || (BatchSystems.names().contains(on)
                                && !BatchSystems.named(on).cluster().isEmpty()),
                "--clusters cannot be used with --on " + on);
        UsageException.unless(
                !on.equals(Placement.LOCAL.system()) || plain,
                "'" + batch.first(passedOn) + "' can only be used with --on "
                        + String.join(" or --on ", NAMES.subList(1, NAMES.size())));
    }

    /** The placement from the value of {@code --on} and these terms, which must fit together. */
    public static Placement where(String on, BatchOptions batch, List<String> passedOn, Session session) {
        check(on, batch, passedOn, session);
        if (on.equals(Placement.LOCAL.system())) {
            return Placement.LOCAL;
        }
        if (batch.clusters != null) {
            return ofClusters(BatchSystems.named(on), batch.clusters, batch.terms(passedOn));
        }
        List<Site> sites = new ArrayList<>();
        for (String name : on.split(",", -1)) {
            sites.add(site(
                    name, batch.terms(passedOn), session.configuration().sites().get(name)));
        }
        return NAMES.contains(on) ? new Placement(on, sites.get(0).options()) : Placement.of(sites);
    }

    /** Some clusters that one batch system has. */
    private static Placement ofClusters(BatchSystem system, String clusters, SubmissionTerms terms) {
        List<Site> sites = new ArrayList<>();
        for (String name : clusters.split(",", -1)) {
            if (!name.matches(Site.NAME)
                    || sites.stream().anyMatch(each -> each.name().equals(name))) {
                throw new InputException(
                        "--clusters " + clusters + ": '" + name + "' is not the name of another cluster");
            }
            List<String> prefix = List.of("env", system.cluster() + "=" + name);
            sites.add(Site.of(name, system.name(), prefix, system.words().apply(terms)));
        }
        return Placement.of(sites);
    }

    /** A batch system of this machine, or a site of the configuration; options of the command line follow its own. */
    private static Site site(String name, SubmissionTerms terms, @Nullable SiteSettings settings) {
        String system = settings == null ? name : settings.value("on");
        if (!NAMES.contains(system)) {
            throw Choice.unknown("site " + name + ": on", system, NAMES);
        }
        List<String> lines = new ArrayList<>(List.of("on=" + system));
        Map<String, String> named = new LinkedHashMap<>();
        List<String> more = new ArrayList<>();
        if (settings != null) {
            settings.words("prefix").forEach(word -> lines.add("prefix=" + word));
            lines.addAll(staging(settings));
            for (String key : List.of("user", "nodes", "cores", "price")) {
                if (!settings.value(key).isEmpty()) {
                    lines.add(key + "=" + settings.value(key));
                }
            }
            for (String key : SiteSettings.TERMS) {
                if (!settings.value(key).isEmpty()) {
                    named.put(key, settings.value(key));
                }
            }
            more.addAll(settings.words("options"));
        }
        named.putAll(terms.named());
        more.addAll(terms.passedOn());
        if (!system.equals(Placement.LOCAL.system())) {
            BatchSystems.named(system)
                    .words()
                    .apply(new SubmissionTerms(named, more))
                    .forEach(word -> lines.add("option=" + word));
        }
        return Site.read(name, lines);
    }

    /** How files get to a site without a shared file system; no lines if it has one. */
    private static List<String> staging(SiteSettings settings) {
        List<String> lines = new ArrayList<>();
        String site = "site " + settings.name() + ": ";
        String folder = settings.value("folder");
        for (String key : List.of("copy", "fetch", "java", "address")) {
            if (folder.isEmpty() && !settings.value(key).isEmpty()) {
                throw new InputException(
                        site + "'" + key + "' is for sites without a shared file system; add 'folder'");
            }
        }
        if (folder.isEmpty()) {
            return lines;
        }
        if (!folder.startsWith("/") || settings.value("on").equals(Placement.LOCAL.system())) {
            throw new InputException(site + "folder '" + folder + "' is not an absolute path at a batch system's site");
        }
        lines.add("folder=" + folder);
        for (String key : List.of("copy", "fetch")) {
            List<String> words = settings.words(key);
            for (String part : List.of(Site.Staging.FROM, Site.Staging.TO)) {
                if (words.stream().noneMatch(word -> word.contains(part))) {
                    throw new InputException(site + "with 'folder', '" + key + "' is a command with "
                            + Site.Staging.FROM + " and " + Site.Staging.TO + ", such as \"rsync -a "
                            + (key.equals("copy") ? "{from} HOST:{to}" : "HOST:{from} {to}") + "\"");
                }
            }
            words.forEach(word -> lines.add(key + "=" + word));
        }
        String address = settings.value("address");
        if (!address.matches("|\\S+:[0-9]{1,5}")) {
            throw new InputException(site + "address '" + address + "' is not HOST:PORT");
        }
        lines.add("address=" + address);
        lines.add("java=" + settings.value("java"));
        return lines;
    }

    public static ClusterAccess of(Placement where, Session session, ManagerOptions managerOptions) {
        return BatchSystems.access(where, session.environment(), managerOptions.interval());
    }

    /** The commands of the batch system of a placement; refused if it has several sites. */
    public static BatchCommands commands(Placement where, Session session) {
        return BatchSystems.commands(where, session.environment());
    }

    /** Why a job that depends on another one loses its place in the queue of a site; null if it keeps it in all that answer. */
    static @Nullable String dependentsLose(Placement where, Session session) throws IOException, InterruptedException {
        for (Site site : where.members()) {
            try {
                String why = site.isLocal()
                        ? null
                        : BatchSystems.commands(site, session.environment()).dependentsLose();
                if (why != null) {
                    return why;
                }
            } catch (UnreachableException e) {
                if (!where.isSeveral()) {
                    throw e;
                }
            }
        }
        return null;
    }

    /** What a task needs that no job of a run can have, with advice; null if it can run. */
    public static @Nullable String unavailable(Resources needs, RunSpec spec) {
        return Preflight.unavailable(needs, spec, BatchSystems.anyHas(spec.where(), BatchSystem.Feature.FIXED_NODES));
    }

    /** The names for shell completion. */
    public static final class SystemNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }
}
