package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private Path site = folder;
    private Path user = folder;
    private Path project = folder;

    @BeforeEach
    void setUp() throws IOException {
        site = folder.resolve("site.yaml");
        user = Files.createDirectories(folder.resolve("config/sheaf")).resolve("sheaf.conf.yaml");
        project = Files.createDirectory(folder.resolve("project")).resolve("sheaf.conf.yaml");
        environment.put("SHEAF_SITE_CONFIG", site.toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    }

    private Run config(String... more) {
        String[] args = new String[more.length + 1];
        args[0] = "config";
        System.arraycopy(more, 0, args, 1, more.length);
        return Run.in(folder.resolve("project"), environment, args);
    }

    /** Adds one layer after the other; each overrides those before it. */
    @Test
    void moreSpecificLayersTakePrecedence() throws IOException {
        assertThat(config().out()).containsPattern("seed +1 +default\n");
        Files.writeString(site, "seed: 2\n");
        assertThat(config().out()).containsPattern("seed +2 +\\Q" + site + "\\E:1\n");
        Files.writeString(user, "# mine\nseed: 3\n");
        assertThat(config().out()).containsPattern("seed +3 +\\Q" + user + "\\E:2\n");
        Files.writeString(project, "json: false\nseed: 4\n");
        assertThat(config().out()).containsPattern("seed +4 +\\Q" + project + "\\E:2\n");
        environment.put("SHEAF_SEED", "5");
        assertThat(config().out()).containsPattern("seed +5 +SHEAF_SEED\n");
        environment.put("SHEAF_JSON", "true");
        assertThat(config().out()).startsWith("{");
        assertThat(config("--no-json").out()).as("the command line wins").startsWith("setting");
    }

    @Test
    void homeIsUsedWithoutXdgConfigHome() throws IOException {
        environment.remove("XDG_CONFIG_HOME");
        environment.put("HOME", folder.toString());
        Path mine = Files.createDirectories(folder.resolve(".config/sheaf")).resolve("sheaf.conf.yaml");
        Files.writeString(mine, "seed: 9");
        assertThat(config().out()).containsPattern("seed +9 +\\Q" + mine + "\\E:1\n");
    }

    /**
     * A command may be started in a folder that other users can write to: their file must not run commands or read
     * files with the rights of the user.
     */
    @Test
    void untrustedFilesCannotSetUnsafeSettings() throws IOException {
        Files.writeString(project, "seed: 4\n");
        Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(config().out()).containsPattern("seed +4 ");
        for (String setting : List.of(
                "notify-command: touch x", "notify-url: http://a/", "notify-headers: f", "sites: {a: {prefix: x}}")) {
            Files.writeString(project, setting);
            assertThat(config().err())
                    .contains(":1:", "all users can write to the file, so it may not set '" + setting.split(":")[0]);
            if ("root".equals(System.getProperty("user.name"))) {
                Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rw-r--r--"));
                assertThat(config().err()).isEmpty();
                Files.setOwner(
                        project,
                        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
                assertThat(config().err()).contains("the file belongs to the user nobody, so it may not set '");
                Files.delete(project);
                Files.writeString(project, "");
                Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rw-rw-rw-"));
            }
        }
    }

    @Test
    void invalidFilesAreRefusedWithLineAndColumn() throws IOException {
        assertRefused("sede: 1", ":1:1: unknown setting 'sede'. Did you mean 'seed'? See 'sheaf config'.");
        assertRefused("\nseed: many", ":2:1: seed: 'many' is not a whole number");
        assertRefused("json: perhaps", ":1:1: json: 'perhaps' is not one of true, false");
        assertRefused("seed: [1, 2]", ":1:1: a setting has one plain value: 'name: value'");
        assertRefused("- seed", ":1:1: the file must be a map (key: value), not a list");
        assertRefused("seed: 1\nseed: 2", ":2:1: 'seed' is given twice; keep one of them");
        assertRefused("seed: 'x", ":1:9: is not YAML while scanning a quoted scalar: found unexpected end of stream");
        assertRefused("sites: alpha", ":1:8: sites: write 'NAME: {on: slurm, prefix: ssh NAME}' for each");
        assertRefused(
                "sites: {alpha: {no: slurm}}",
                ":1:21: site alpha: unknown key 'no'. Did you mean 'on'? Keys: on, prefix, user, options, nodes, cores, price, folder, copy, fetch, java, address, account, partition, qos, constraint, reservation");
        assertRefused(
                "sites: {'a;b': {on: slurm}}",
                ":1:21: site 'a;b': a name has letters, digits, _ and -, and begins with a letter");
        assertRefused("sites: {a: {nodes: 0}}", ":1:20: site a: nodes '0' is not a whole number of at least 1");
        environment.put("SHEAF_SEED", "x");
        Files.writeString(project, "");
        assertThat(config())
                .isEqualTo(new Run(3, "", "sheaf: environment variable SHEAF_SEED: seed: 'x' is not a whole number\n"));
    }

    /** Settings of a site are checked when a run uses it. */
    @Test
    void invalidSitesAreRefusedWhenUsed() throws IOException {
        Files.writeString(folder.resolve("project/w.yaml"), "tasks: {t: {run: 'true', in: /etc/hosts, time: 1s}}");
        String files = ", copy: 'cp -a {from} {to}', fetch: 'cp -a {from} {to}'}";
        assertUnusable(
                "{on: slurm, copy: 'cp {from} {to}'}",
                "'copy' is for sites without a shared file system; add 'folder'");
        assertUnusable(
                "{on: slurm, folder: data" + files, "folder 'data' is not an absolute path at a batch system's site");
        assertUnusable(
                "{on: slurm, folder: /data, copy: 'cp {from} {to}', fetch: cp}",
                "with 'folder', 'fetch' is a command with {from} and {to}, such as \"rsync -a HOST:{from} {to}\"");
        assertUnusable("{on: slurm, folder: /data, address: here" + files, "address 'here' is not HOST:PORT");
    }

    private void assertUnusable(String settings, String message) throws IOException {
        Files.writeString(project, "sites: {alpha: " + settings + "}");
        assertThat(Run.in(folder.resolve("project"), environment, "run", "w.yaml", "--on", "alpha"))
                .isEqualTo(new Run(3, "", "sheaf: site alpha: " + message + "\n"));
    }

    private void assertRefused(String text, String message) throws IOException {
        Files.writeString(project, text);
        assertThat(config()).isEqualTo(new Run(3, "", "sheaf: " + project + message + "\n"));
    }

    @Test
    void theReferenceIsAValidConfigurationFile() throws IOException {
        String reference = config("--reference").out();
        Files.writeString(project, reference);
        Run read = config();
        assertThat(read.status()).isZero();
        assertThat(read.out()).containsPattern("seed +1 +\\Q" + project + "\\E:\\d+\n");
    }

    @Test
    void misspeltEnvironmentVariablesAreReported() {
        environment.put("SHEAF_SEDE", "1");
        assertThat(config().err())
                .isEqualTo(
                        "sheaf: note: the environment variable SHEAF_SEDE is not used by Sheaf. Did you mean 'SHEAF_SEED'?\n");
    }

    @Test
    void settingsOfTheCommandLineShowTheirSource() {
        environment.put("SHEAF_SEED", "5");
        environment.put("SHEAF_JSON", "true");
        assertThat(config("--seed", "7", "--no-json", "--verbose").out())
                .containsPattern("json +false +command line\n")
                .containsPattern("seed +7 +command line\n")
                .containsPattern("verbose +true +command line\n");
        assertThat(config("--no-json").out()).containsPattern("seed +5 +SHEAF_SEED\n");
    }

    @Test
    void theReferenceCannotBePrintedAsJson() {
        assertThat(config("--reference", "--json"))
                .isEqualTo(
                        new Run(
                                2,
                                "",
                                "sheaf config: --json cannot be used here: --reference prints YAML (see 'sheaf config --help' for usage)\n"));
        environment.put("SHEAF_JSON", "true");
        assertThat(config("--reference").out()).startsWith("# Every setting");
    }

    @Test
    void filesThatAreNotUtf8AreRefused() throws IOException {
        Files.write(project, "# für alle\nseed: 4\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(config())
                .isEqualTo(
                        new Run(3, "", "sheaf: " + project + ":1:4: this is not UTF-8 text; save the file as UTF-8\n"));
    }
}
