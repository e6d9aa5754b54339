package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import edu.kit.datamanager.ro_crate.RoCrate;
import edu.kit.datamanager.ro_crate.reader.FolderReader;
import edu.kit.datamanager.ro_crate.reader.RoCrateReader;
import edu.kit.datamanager.ro_crate.validation.JsonSchemaValidation;
import edu.kit.datamanager.ro_crate.validation.Validator;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks the folder of a crate against the requirements (MUST) of RO-Crate 1.1 and Provenance Run Crate 0.5. */
final class CheckedCrate {
    /** The properties of RO-Crate 1.1 and of the workflow-run terms that crates of Sheaf use. */
    private static final Set<String> PROPERTIES = Set.of(
            "@id",
            "@type",
            "about",
            "actionStatus",
            "additionalType",
            "agent",
            "alternateName",
            "author",
            "conformsTo",
            "containerImage",
            "contentSize",
            "datePublished",
            "description",
            "encodingFormat",
            "endTime",
            "environment",
            "error",
            "hasPart",
            "identifier",
            "instrument",
            "license",
            "location",
            "mainEntity",
            "mentions",
            "name",
            "object",
            "position",
            "programmingLanguage",
            "propertyID",
            "registry",
            "resourceUsage",
            "result",
            "sha256",
            "softwareVersion",
            "startTime",
            "step",
            "tag",
            "unitCode",
            "value",
            "version",
            "workExample");

    private static final String TERMS = "https://w3id.org/ro/terms/workflow-run/";

    private final Path folder;
    private final Map<String, Map<?, ?>> entities = new LinkedHashMap<>();

    CheckedCrate(Path folder) throws IOException {
        this.folder = folder;
        String text = Files.readString(folder.resolve("ro-crate-metadata.json"));
        Map<?, ?> all = (Map<?, ?>)
                Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(text));
        assertThat(text(all, "@context")).contains("https://w3id.org/ro/crate/1.1/context");
        for (Object each : (List<?>) Objects.requireNonNull(all.get("@graph"))) {
            Map<?, ?> entity = (Map<?, ?>) each;
            assertThat(entities.put(text(entity, "@id"), entity))
                    .as("entities with the id %s", entity.get("@id"))
                    .isNull();
            assertThat(entity.keySet()).as("terms of %s", entity).allMatch(PROPERTIES::contains);
            assertThat(types(entity)).isNotEmpty();
        }
        checkRoot();
        checkReferences();
        checkFiles();
        checkActions();
        checkWithLibrary(text);
    }

    /**
     * Reads and validates the crate with an independent library. Terms replace their address, so that nothing is
     * downloaded.
     */
    private static void checkWithLibrary(String text) throws IOException {
        Path copy = Files.createTempDirectory("crate");
        Files.writeString(
                copy.resolve("ro-crate-metadata.json"),
                text.replace("\"" + TERMS + "context\"", "{\"sha256\": \"" + TERMS + "#sha256\"}"));
        RoCrate crate = new RoCrateReader(new FolderReader()).readCrate(copy.toString());
        assertThat(new Validator(new JsonSchemaValidation()).validate(crate)).isTrue();
        assertThat(crate.getRootDataEntity().getProperty("mainEntity")).isNotNull();
        assertThat(crate.getAllContextualEntities()).isNotEmpty();
    }

    Map<?, ?> entity(String id) {
        assertThat(entities).containsKey(id);
        return Objects.requireNonNull(entities.get(id), id);
    }

    /** The value of a required property. */
    static String text(Map<?, ?> entity, String property) {
        return String.valueOf(Objects.requireNonNull(entity.get(property), property));
    }

    List<Map<?, ?>> ofType(String type) {
        List<Map<?, ?>> found = new ArrayList<>();
        entities.values().stream().filter(each -> types(each).contains(type)).forEach(found::add);
        return found;
    }

    /** The entities that a property refers to. */
    List<Map<?, ?>> refs(Map<?, ?> entity, String property) {
        List<Map<?, ?>> found = new ArrayList<>();
        ids(entity.get(property)).forEach(id -> found.add(entity(id)));
        return found;
    }

    private static List<String> types(Map<?, ?> entity) {
        Object type = Objects.requireNonNull(entity.get("@type"));
        List<String> names = new ArrayList<>();
        (type instanceof List<?> several ? several : List.of(type)).forEach(each -> names.add((String) each));
        return names;
    }

    private static List<String> ids(@Nullable Object value) {
        List<String> ids = new ArrayList<>();
        List<?> several = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
        for (Object each : several) {
            if (each instanceof Map<?, ?> reference) {
                assertThat(reference.keySet().toString())
                        .as("keys of the reference %s", reference)
                        .isEqualTo("[@id]");
                ids.add(text(reference, "@id"));
            }
        }
        return ids;
    }

    private void checkRoot() {
        Map<?, ?> descriptor = entity("ro-crate-metadata.json");
        assertThat(types(descriptor)).containsExactly("CreativeWork");
        assertThat(ids(descriptor.get("about"))).containsExactly("./");
        assertThat(ids(descriptor.get("conformsTo"))).contains("https://w3id.org/ro/crate/1.1");
        Map<?, ?> root = entity("./");
        assertThat(types(root)).containsExactly("Dataset");
        assertThat(text(root, "name")).isNotEmpty();
        assertThat(text(root, "description")).isNotEmpty();
        assertThat(Instant.parse(text(root, "datePublished"))).isNotNull();
        assertThat(refs(root, "license")).hasSize(1);
        assertThat(ids(root.get("conformsTo")))
                .contains(
                        "https://w3id.org/ro/wfrun/process/0.5",
                        "https://w3id.org/ro/wfrun/workflow/0.5",
                        "https://w3id.org/ro/wfrun/provenance/0.5");
        assertThat(refs(root, "conformsTo")).allMatch(each -> types(each).contains("CreativeWork"));
        Map<?, ?> workflow = refs(root, "mainEntity").get(0);
        assertThat(types(workflow)).contains("File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo");
        assertThat(refs(workflow, "programmingLanguage")).hasSize(1);
        assertThat(refs(workflow, "hasPart")).isNotEmpty().allMatch(each -> types(each)
                .contains("SoftwareApplication"));
    }

    /** Every entity that the crate refers to exists, and every file is a part of the root. */
    private void checkReferences() {
        List<String> parts = ids(entity("./").get("hasPart"));
        for (Map<?, ?> each : entities.values()) {
            for (Object value : each.values()) {
                for (String id : ids(value)) {
                    assertThat(entities.containsKey(id) || id.startsWith("https://w3id.org/"))
                            .as("%s refers to %s", each.get("@id"), id)
                            .isTrue();
                }
            }
            if (types(each).contains("File")) {
                assertThat(parts).contains(text(each, "@id"));
            }
        }
    }

    /** Every file has the size and digest that the crate states, and every file of the folder is described. */
    private void checkFiles() throws IOException {
        List<Path> described = new ArrayList<>();
        for (Map<?, ?> each : ofType("File")) {
            URI id = URI.create(text(each, "@id"));
            Path file = id.isAbsolute() ? Path.of(id) : folder.resolve(id.getPath());
            if (!id.isAbsolute()) {
                described.add(file);
            }
            if (!id.isAbsolute() || !each.containsKey("description")) {
                assertThat(each.get("sha256")).as("%s", file).isEqualTo(sha256(file));
                assertThat(each.get("contentSize")).as("%s", file).isEqualTo(String.valueOf(Files.size(file)));
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(each -> Files.isRegularFile(each) && !each.endsWith("ro-crate-metadata.json")))
                    .containsExactlyInAnyOrderElementsOf(described);
        }
    }

    private void checkActions() {
        Map<?, ?> workflow = refs(entity("./"), "mainEntity").get(0);
        List<Map<?, ?>> controlled = new ArrayList<>();
        for (Map<?, ?> each : ofType("ControlAction")) {
            assertThat(refs(each, "instrument")).hasSize(1).allMatch(step -> types(step)
                    .contains("HowToStep"));
            assertThat(refs(each, "object")).isNotEmpty().allMatch(action -> types(action)
                    .contains("CreateAction"));
            controlled.addAll(refs(each, "object"));
        }
        for (Map<?, ?> step : ofType("HowToStep")) {
            assertThat(refs(workflow, "step")).contains(step);
            assertThat(refs(workflow, "hasPart")).containsAll(refs(step, "workExample"));
        }
        List<Map<?, ?>> workflowActions = new ArrayList<>();
        for (Map<?, ?> each : ofType("CreateAction")) {
            assertThat(refs(each, "instrument")).hasSize(1);
            assertThat(refs(entity("./"), "mentions")).contains(each);
            Instant start = Instant.parse(text(each, "startTime"));
            assertThat(Instant.parse(text(each, "endTime"))).isAfterOrEqualTo(start);
            assertThat(refs(each, "agent")).hasSize(1);
            if (refs(each, "instrument").contains(workflow)) {
                workflowActions.add(each);
            } else {
                assertThat(controlled).contains(each);
                assertThat(refs(workflow, "hasPart")).containsAll(refs(each, "instrument"));
            }
            boolean failed = text(each, "actionStatus").equals("http://schema.org/FailedActionStatus");
            assertThat(each.containsKey("error")).as("%s", each).isEqualTo(failed);
            refs(each, "resourceUsage")
                    .forEach(used ->
                            assertThat(refs(used, "propertyID")).as("%s", used).hasSize(1));
        }
        assertThat(workflowActions).hasSize(1);
        Map<?, ?> engine = ofType("OrganizeAction").get(0);
        assertThat(refs(engine, "instrument").get(0).get("softwareVersion")).isNotNull();
        assertThat(refs(engine, "object")).isEqualTo(ofType("ControlAction"));
        assertThat(refs(engine, "result")).isEqualTo(workflowActions);
    }

    static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
