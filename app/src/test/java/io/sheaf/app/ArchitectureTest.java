package io.sheaf.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows between modules and packages point one way, and the core needs nothing but the JDK. */
class ArchitectureTest {
    private static final JavaClasses SHEAF = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sheaf");

    /** All of the core, whatever packages it has. */
    private static final JavaClasses CORE =
            new ClassFileImporter().importPath(Path.of("..", "core", "target", "classes"));

    @Test
    void theCoreUsesNothingButTheJdk() {
        String[] own = CORE.stream().map(JavaClass::getPackageName).distinct().toArray(String[]::new);
        String[] allowed = Arrays.copyOf(own, own.length + 2);
        allowed[own.length] = "java..";
        allowed[own.length + 1] = "org.jspecify..";
        classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(CORE);
    }

    /** It is started on every node: what it used would have to be loaded there. */
    @Test
    void theAgentUsesNothingButTheJdk() {
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
    void packagesOfRealRunsHaveNoCycles() {
        slices().matching("io.sheaf.runtime.(*)..").should().beFreeOfCycles().check(SHEAF);
        none("io.sheaf.slurm.whatif..", "io.sheaf.slurm");
    }

    /** A batch system is a package, and a line of the registry. Formats, test servers and benchmarks may have its name. */
    @Test
    void onlyTheRegistryNamesBatchSystems() {
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

    @Test
    void commandGroupsHaveNoCycles() {
        slices().matching("io.sheaf.app.(*)..").should().beFreeOfCycles().check(SHEAF);
    }

    /** Only the main class knows all commands. */
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
    void arrowsBetweenModulesPointOneWay() {
        String[] above = {"io.sheaf.lab..", "io.sheaf.runtime..", "io.sheaf.app..", "picocli.."};
        none("io.sheaf.formats..", with(above, "io.sheaf.sim..", "io.sheaf.platform..", "io.sheaf.agent.."));
        none("io.sheaf.sim..", with(above, "io.sheaf.platform..", "io.sheaf.agent.."));
        none("io.sheaf.platform..", with(above, "io.sheaf.sim..", "io.sheaf.agent.."));
        none("io.sheaf.lab..", "io.sheaf.runtime..", "io.sheaf.agent..", "io.sheaf.app..", "picocli..");
        none("io.sheaf.runtime..", "io.sheaf.lab..", "io.sheaf.platform..", "io.sheaf.app..", "picocli..");
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }

    /** In the core the algorithms stand on the model, and the manager does not know which strategies there are. */
    @Test
    void arrowsInTheCorePointOneWay() {
        none(
                "io.sheaf.workflow..",
                "io.sheaf.batch..",
                "io.sheaf.predict..",
                "io.sheaf.manager..",
                "io.sheaf.planner..",
                "io.sheaf.strategy..");
        none(
                "io.sheaf.planner..",
                "io.sheaf.batch..",
                "io.sheaf.predict..",
                "io.sheaf.manager..",
                "io.sheaf.strategy..");
        none("io.sheaf.batch..", "io.sheaf.predict..", "io.sheaf.manager..", "io.sheaf.strategy..");
        none("io.sheaf.predict..", "io.sheaf.manager..", "io.sheaf.strategy..");
        none("io.sheaf.manager..", "io.sheaf.strategy..");
    }

    private static void none(String from, String... to) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to)
                .check(SHEAF);
    }

    /** Time and randomness are arguments: decisions must not depend on when and where they are made. A duration is a number, and has no clock. */
    @Test
    void theCoreReadsNoClockAndNoRandomness() {
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
