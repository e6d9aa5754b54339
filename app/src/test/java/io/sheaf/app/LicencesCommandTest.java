package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LicencesCommandTest {
    @Test
    void listsEveryLibraryOfTheDependenciesPage() throws IOException {
        String listed = Run.of("licences").out();
        String page = Files.readString(Path.of("../docs/reference/dependencies.md"));
        String shipped = page.substring(page.indexOf("|---"), page.indexOf("`core` uses"));
        assertThat(shipped.lines().skip(1).filter(line -> line.startsWith("|")))
                .isNotEmpty()
                .allSatisfy(line -> {
                    String[] cells = line.split("\\s*\\|\\s*", -1);
                    assertThat(listed)
                            .contains(cells[1].replaceFirst(",.*", ""))
                            .contains(cells[3]);
                });
    }

    @Test
    void licencesArePrintedAsJsonAndAsTexts() {
        assertThat(Run.of("licences", "--json").out()).contains("\"libraries\"", "\"licence\" : \"Apache-2.0\"");
        assertThat(Run.of("licences", "--texts").out()).startsWith("=== META-INF/LICENSE\n");
        assertThat(Run.of("licences", "--texts", "--json").status()).isEqualTo(2);
    }

    @Test
    void completionRefusesUnknownShells() {
        assertThat(Run.of("completion", "bsh"))
                .isEqualTo(new Run(
                        3, "", "sheaf: unknown shell 'bsh'. Did you mean 'bash'? Possible values: bash, zsh.\n"));
        assertThat(Run.of("completion", "bash", "--json").status()).isEqualTo(2);
    }
}
