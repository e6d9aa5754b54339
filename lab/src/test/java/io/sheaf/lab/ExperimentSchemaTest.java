package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sheaf.lab.experiment.ClusterEntry;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.WorkflowEntry;
import io.sheaf.lab.experiment.WorkflowStarts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests that the schemas for editors agree with the reader of experiments. */
class ExperimentSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ROOT = Path.of("..");

    private static String text(String kind) throws IOException {
        return Files.readString(ROOT.resolve("docs/schema/sheaf-" + kind + ".schema.json"));
    }

    private static String text() throws IOException {
        return text("experiment");
    }

    private static List<String> schemaErrors(String yaml) throws IOException {
        Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        String kind = loaded instanceof Map<?, ?> map && map.containsKey("study") ? "study" : "experiment";
        Schema schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(text(kind));
        List<String> errors = new ArrayList<>();
        schema.validate(JSON.writeValueAsString(loaded), InputFormat.JSON)
                .forEach(error -> errors.add(error.toString()));
        return errors;
    }

    @Test
    void acceptsEveryShippedExperiment() throws IOException {
        try (Stream<Path> all = Files.list(ROOT.resolve("experiments"))) {
            for (Path file : all.toList()) {
                assertThat(schemaErrors(Files.readString(file)))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void refusesInvalidExperiments() throws IOException {
        String good = "workflows: {generate: chain}\nclusters: {model: kth-like}\nstrategies: zhang\n";
        assertThat(schemaErrors(good)).isEmpty();
        assertThat(schemaErrors(good + "strats: 1\n")).isNotEmpty();
        assertThat(schemaErrors(good + "starts: {evry: 1d}\n")).isNotEmpty();
        assertThat(schemaErrors(good.replace("model: kth-like", "model: a, trace: b")))
                .isNotEmpty();
        assertThat(schemaErrors(good.replace("strategies: zhang", "title: x"))).isNotEmpty();
    }

    @Test
    void hasTheSameKeysAsTheReader() throws IOException {
        JsonNode schema = JSON.readTree(text());
        Set<String> all = new TreeSet<>();
        kinds(false).forEach(kind -> all.addAll(kind.keys()));
        assertThat(keys(schema.at("/properties"))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(keys(schema.at("/properties/report/properties")))
                .containsExactlyInAnyOrderElementsOf(ComparisonSpec.Reported.KEYS);
        assertThat(keys(schema.at("/properties/starts/properties")))
                .containsExactlyInAnyOrderElementsOf(WorkflowStarts.KEYS);
        assertThat(keys(schema.at("/definitions/workflow/properties")))
                .containsExactlyInAnyOrderElementsOf(WorkflowEntry.KEYS);
        assertThat(keys(schema.at("/definitions/cluster/properties")))
                .containsExactlyInAnyOrderElementsOf(ClusterEntry.KEYS);
    }

    @Test
    void hasTheSameStudiesAsTheReader() throws IOException {
        JsonNode schema = JSON.readTree(text("study"));
        Set<String> keys = new TreeSet<>();
        kinds(true).forEach(kind -> keys.addAll(kind.keys()));
        assertThat(keys(schema.at("/properties"))).containsExactlyInAnyOrderElementsOf(keys);
        List<String> kinds = new ArrayList<>();
        schema.at("/properties/study/enum").forEach(each -> kinds.add(each.asString()));
        assertThat(kinds)
                .containsExactlyInAnyOrderElementsOf(
                        kinds(true).stream().map(ExperimentKind::value).toList());
    }

    private static List<ExperimentKind> kinds(boolean studies) {
        return ExperimentKinds.ALL.stream()
                .filter(kind -> kind.key().equals(ExperimentKind.STUDY) == studies)
                .toList();
    }

    private static Collection<String> keys(JsonNode node) {
        return node.propertyNames();
    }
}
