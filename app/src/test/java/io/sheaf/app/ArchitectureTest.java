package io.sheaf.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between modules and packages point one way, and the core needs nothing but the JDK. */
class ArchitectureTest {
    private static final JavaClasses SHEAF = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.sheaf");

    private static final String[] CORE = {
        "io.sheaf.text..", "io.sheaf.random..", "io.sheaf.workflow..", "io.sheaf.batch..", "io.sheaf.strategy.."
    };

    @Test
    void theCoreUsesNothingButTheJdk() {
        String[] allowed = new String[CORE.length + 2];
        System.arraycopy(CORE, 0, allowed, 0, CORE.length);
        allowed[CORE.length] = "java..";
        allowed[CORE.length + 1] = "org.jspecify..";
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(SHEAF);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.sheaf.(*)..").should().beFreeOfCycles().check(SHEAF);
    }

    @Test
    void nobodyUsesTheCommand() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.sheaf.app..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.sheaf.app..", "picocli..")
                .check(SHEAF);
    }

    /** Time and randomness are arguments: decisions must not depend on when and where they are made. */
    @Test
    void theCoreReadsNoClockAndNoRandomness() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.sheaf.workflow..", "io.sheaf.batch..", "io.sheaf.random..", "io.sheaf.strategy..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .check(SHEAF);
    }
}
