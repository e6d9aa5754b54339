package io.sheaf.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sheaf.systems.BatchSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Modules and packages depend on each other in one direction, and the core depends only on the JDK. */
class ArchitectureTest {
    private static final JavaClasses SHEAF = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sheaf")
            .that(not(resideInAnyPackage("io.sheaf.testing..", "io.sheaf.bench..")));

    /** All classes of the core, in any package. */
    private static final JavaClasses CORE =
            new ClassFileImporter().importPath(Path.of("..", "core", "target", "classes"));

    @Test
    void theCoreUsesOnlyTheJdk() {
        String[] own = CORE.stream().map(JavaClass::getPackageName).distinct().toArray(String[]::new);
        String[] allowed = Arrays.copyOf(own, own.length + 2);
        allowed[own.length] = "java..";
        allowed[own.length + 1] = "org.jspecify..";
        classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(CORE);
    }

    /** The agent is loaded on every node, so each dependency would have to be loaded there, too. */
    @Test
    void theAgentUsesOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.sheaf.agent..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.sheaf.agent..", "java..", "javax.crypto..", "javax.net.ssl..", "org.jspecify..")
                .check(SHEAF);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.sheaf.(*)..").should().beFreeOfCycles().check(SHEAF);
    }

    @Test
    void packagesHaveNoCyclesAtAnyDepth() {
        slices().matching("io.sheaf.(**)").should().beFreeOfCycles().check(SHEAF);
    }

    private static JavaClass outermost(JavaClass each) {
        JavaClass at = each;
        while (at.getEnclosingClass().isPresent()) {
            at = at.getEnclosingClass().get();
        }
        return at;
    }

    @Test
    void classNamesAreUnique() throws IOException {
        Map<String, Long> times = sources().stream()
                .map(ArchitectureTest::className)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        times.values().removeIf(count -> count == 1);
        assertThat(times.keySet()).as("names of several classes").isEmpty();
    }

    /** An indented declaration of a type, which is nested. */
    private static final Pattern NESTED =
            Pattern.compile("(?m)^ +(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp) )*"
                    + "(?:class|record|enum|interface|@interface) (\\w+)");

    @Test
    void noNestedTypeHasTheNameOfATopLevelType() throws IOException {
        Set<String> topLevel =
                sources().stream().map(ArchitectureTest::className).collect(Collectors.toSet());
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            Matcher nested = NESTED.matcher(Files.readString(source).replaceAll("(?s)/\\*.*?\\*/", ""));
            while (nested.find()) {
                if (topLevel.contains(nested.group(1))) {
                    found.add(className(source) + "." + nested.group(1));
                }
            }
        }
        assertThat(found)
                .as("nested types with the name of a top-level type; rename each after what it means in its class")
                .isEmpty();
    }

    /**
     * Searches the sources as well, because constants leave no trace in the classes that use them. Examples stand for
     * other programs that use the class.
     */
    @Test
    void noClassIsOnlyUsedByTests() throws IOException {
        Set<String> used = new HashSet<>();
        for (JavaClass each : SHEAF) {
            String from = outermost(each).getName();
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> outermost(dependency.getTargetClass().getBaseComponentType())
                            .getName())
                    .filter(to -> !to.equals(from))
                    .forEach(used::add);
        }
        Set<String> unused = new TreeSet<>();
        for (JavaClass each : SHEAF) {
            if (each.isTopLevelClass()
                    && !used.contains(each.getName())
                    && each.tryGetMethod("main", String[].class).isEmpty()) {
                unused.add(each.getSimpleName());
            }
        }
        unused.remove("package-info");
        for (Path source : sourcesAndUsers()) {
            String text = Files.readString(source);
            unused.removeIf(name -> !className(source).equals(name)
                    && Pattern.compile("\\b" + name + "\\b").matcher(text).find());
        }
        assertThat(unused).as("classes that only tests use").isEmpty();
    }

    private static String className(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    /** The sources of all modules of the product. */
    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(".."))) {
            List<Path> found = new ArrayList<>();
            for (Path module : all.filter(at -> !at.endsWith("testing") && !at.endsWith("benchmarks"))
                    .toList()) {
                found.addAll(javaFiles(module.resolve("src/main/java/io/sheaf")));
            }
            return found;
        }
    }

    /** The sources of the product, the benchmarks and the examples. */
    private static List<Path> sourcesAndUsers() throws IOException {
        List<Path> all = new ArrayList<>(sources());
        all.addAll(javaFiles(Path.of("../benchmarks/src/main")));
        all.addAll(javaFiles(Path.of("../examples")));
        return all;
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .toList();
        }
    }

    @Test
    void packagesOfRealRunsHaveNoCycles() {
        slices().matching("io.sheaf.runtime.(*)..").should().beFreeOfCycles().check(SHEAF);
        assertIndependent("io.sheaf.slurm.whatif..", "io.sheaf.slurm");
    }

    /**
     * Only its own package and the registry refer to a batch system. Formats, test servers and benchmarks may have its
     * name.
     */
    @Test
    void onlyTheRegistryRefersToBatchSystems() {
        for (String system : List.of("slurm", "gridengine", "oar")) {
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "io.sheaf." + system + "..",
                            "io.sheaf.systems",
                            "io.sheaf.formats..",
                            "io.sheaf.testing..",
                            "io.sheaf.bench..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.sheaf." + system + "..")
                    .orShould()
                    .haveSimpleNameContaining(Character.toUpperCase(system.charAt(0)) + system.substring(1))
                    .check(SHEAF);
        }
    }

    /** A field or method with the name of a batch system is often a special case for it. */
    @Test
    void noMemberOutsideSlurmPackagesIsNamedAfterSlurm() {
        List<String> found = new ArrayList<>();
        for (JavaClass each : SHEAF) {
            if (!each.getPackageName().matches("io[.]sheaf[.](formats[.])?slurm([.].*)?")) {
                each.getMembers().stream()
                        .filter(member ->
                                member.getName().toLowerCase(Locale.ROOT).contains("slurm"))
                        .forEach(member -> found.add(member.getFullName()));
            }
        }
        assertThat(found).isEmpty();
    }

    /** Literals outside the packages of a batch system that may name it, with the reason. */
    private static final Map<String, String> NAMING_A_SYSTEM = Map.of(
            "sites: write 'NAME: {on: slurm, prefix: ssh NAME}' for each",
            "an example in a message",
            "give a queue: --on slurm, --run RUN, --trace LOG or --model NAME; no run found in ./",
            "an example in a message",
            "', not a scope; write e.g. sheaf.on = 'slurm'",
            "an example in a message",
            "is not Slurm accounting; several files can only be read together if all are",
            "about the format of a file",
            "' is Slurm accounting; add 'sacct-unit: nodes' if jobs get whole nodes,",
            "about the format of a file");

    /**
     * A name of a batch system in a literal is often a special case for it. Left out are help texts, which are
     * annotations, and {@code formats.slurm}, which reads the format of Slurm's accounting.
     */
    @Test
    void noLiteralOutsideItsPackagesNamesABatchSystem() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String name : BatchSystems.names()) {
            names.add(name);
            names.add(BatchSystems.named(name).title());
            BatchSystems.named(name).variables().forEach(prefix -> names.add(prefix.replace("_", "")));
        }
        // A longer one may continue, as in slurmctld.
        Pattern naming = Pattern.compile("(?i)(?<![a-z])("
                + names.stream()
                        .map(name -> name.length() > 3 ? name : name + "(?![a-z])")
                        .collect(Collectors.joining("|"))
                + ")");
        Pattern own = Pattern.compile("/io/sheaf/(formats/slurm|" + String.join("|", BatchSystems.names()) + ")/");
        Set<String> found = new TreeSet<>();
        for (Path source : sources()) {
            if (!own.matcher(source.toString()).find()) {
                StringLiterals.of(Files.readString(source)).stream()
                        .filter(literal -> naming.matcher(literal).find())
                        .forEach(found::add);
            }
        }
        assertThat(found)
                .as("literals that name a batch system; use a property of BatchSystem instead")
                .isEqualTo(new TreeSet<>(NAMING_A_SYSTEM.keySet()));
    }

    @Test
    void literalsInCommentsAndAnnotationsAreLeftOut() {
        assertThat(StringLiterals.of("""
                        /* "a" */ @Option(names = {"b", f("c")}, text = ")") // "d"
                        int x = f('"', "e\\"e", (g("f")), @A("g") "h");
                        """)).containsExactly("e\\\"e", "f", "h");
    }

    @Test
    void commandGroupsHaveNoCycles() {
        slices().matching("io.sheaf.app.(*)..").should().beFreeOfCycles().check(SHEAF);
    }

    /** Only the main class refers to all commands. */
    @Test
    void commandGroupsDoNotUseTheMainClass() {
        noClasses()
                .that()
                .resideInAPackage("io.sheaf.app.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.sheaf.app")
                .check(SHEAF);
    }

    @Test
    void modulesDependInOneDirection() {
        String[] above = {"io.sheaf.lab..", "io.sheaf.runtime..", "io.sheaf.app..", "picocli.."};
        assertIndependent(
                "io.sheaf.formats..", with(above, "io.sheaf.sim..", "io.sheaf.platform..", "io.sheaf.agent.."));
        assertIndependent("io.sheaf.sim..", with(above, "io.sheaf.platform..", "io.sheaf.agent.."));
        assertIndependent("io.sheaf.platform..", with(above, "io.sheaf.sim..", "io.sheaf.agent.."));
        assertIndependent("io.sheaf.lab..", "io.sheaf.runtime..", "io.sheaf.agent..", "io.sheaf.app..", "picocli..");
        assertIndependent("io.sheaf.runtime..", "io.sheaf.lab..", "io.sheaf.platform..", "io.sheaf.app..", "picocli..");
    }

    private static String[] with(String[] packages, String... more) {
        return Stream.concat(Arrays.stream(packages), Arrays.stream(more)).toArray(String[]::new);
    }

    /** In the core, algorithms depend on the model, and the manager does not depend on strategies. */
    @Test
    void corePackagesDependInOneDirection() {
        assertIndependent(
                "io.sheaf.workflow..",
                "io.sheaf.batch..",
                "io.sheaf.predict..",
                "io.sheaf.manager..",
                "io.sheaf.planner..",
                "io.sheaf.strategy..");
        assertIndependent(
                "io.sheaf.planner..",
                "io.sheaf.batch..",
                "io.sheaf.predict..",
                "io.sheaf.manager..",
                "io.sheaf.strategy..");
        assertIndependent("io.sheaf.batch..", "io.sheaf.predict..", "io.sheaf.manager..", "io.sheaf.strategy..");
        assertIndependent("io.sheaf.predict..", "io.sheaf.manager..", "io.sheaf.strategy..");
        assertIndependent("io.sheaf.manager..", "io.sheaf.strategy..");
    }

    private static void assertIndependent(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .check(SHEAF);
    }

    /**
     * Time and randomness are arguments, so that decisions are reproducible. A duration is a number and needs no clock.
     */
    @Test
    void theCoreUsesNeitherClockNorRandomNumbers() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat(resideInAPackage("java.time..").and(not(type(Duration.class))))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .check(CORE);
    }
}
