package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests that the schema for editors agrees with the reader. */
class SchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static String schemaText() throws IOException {
        return Files.readString(Samples.root().resolve("docs/schema/sheaf-workflow.schema.json"));
    }

    /** The errors that an editor would show. */
    private static List<String> schemaErrors(String yaml) throws IOException {
        Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        Schema schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(schemaText());
        List<String> errors = new ArrayList<>();
        schema.validate(JSON.writeValueAsString(textKeys(loaded)), InputFormat.JSON)
                .forEach(error -> errors.add(error.toString()));
        return errors;
    }

    /** Converts all keys to texts, as JSON requires. */
    private static @Nullable Object textKeys(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> texts = new LinkedHashMap<>();
            map.forEach((key, item) -> texts.put(String.valueOf(key), textKeys(item)));
            return texts;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> texts = new ArrayList<>();
            list.forEach(item -> texts.add(textKeys(item)));
            return texts;
        }
        return value;
    }

    @Test
    void acceptsEveryExample() throws IOException {
        for (Path file : Samples.files()) {
            assertThat(schemaErrors(Files.readString(file))).as(file.toString()).isEmpty();
        }
        for (String text : Samples.inPage()) {
            assertThat(schemaErrors(text)).as(text).isEmpty();
        }
    }

    @Test
    void acceptsWrittenWorkflows() throws IOException {
        for (int seed = 0; seed < 30; seed++) {
            String text = Yaml.write(RandomWorkflows.withEverything(seed).next());
            assertThat(schemaErrors(text)).as(text).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: x",
                "tasks: []",
                "tasks: {a: {tiem: 3}}",
                "tasks: {a: {time: soon}}",
                "tasks: {a: {cores: 0}}",
                "tasks: {a: {cores: many}}",
                "tasks: {a: {cores: 1.5}}",
                "tasks: {a: {cores: -0.5}}",
                "tasks: {a: {time: {x: 1h}}}",
                "tasks: {a: {in: {name: b, siz: 1}}}",
                "tasks: {a: {out: {from: b}}}",
                "tasks: {a: {foreach: {}}}",
                "tasks: {a: {foreach: {in: [1]}}}",
                "tasks: {a: {run: {b: c}}}",
                "{tasks: {}, edges: none}",
                "{tasks: {}, categories: {c: {core: 1}}}",
                "{tasks: {}, defaults: {after: b}}"
            })
    void refusesInvalidWorkflowsLikeTheReader(String yaml) throws IOException {
        assertThat(schemaErrors(yaml)).isNotEmpty();
        assertThat(catchThrowable(() -> Yaml.read(yaml))).isInstanceOf(InputException.class);
    }

    @Test
    void hasTheSameKeysAsTheReader() throws IOException {
        JsonNode schema = JSON.readTree(schemaText());
        assertThat(keys(schema)).isEqualTo(new TreeSet<>(Document.KEYS));
        JsonNode properties = schema.get("properties");
        assertThat(keys(properties.get("defaults"))).isEqualTo(new TreeSet<>(Document.DEFAULTS_KEYS));
        JsonNode definitions = schema.get("definitions");
        assertThat(keys(definitions.get("category"))).isEqualTo(new TreeSet<>(Document.CATEGORY_KEYS));
        assertThat(keys(definitions.get("task"))).isEqualTo(new TreeSet<>(TaskSpec.KEYS));
        assertThat(keys(definitions.get("timeTable"))).containsExactly(TimeTable.EXPECTED);
        Set<String> file = keys(definitions.get("file").get("anyOf").get(1));
        file.addAll(keys(definitions.get("input").get("anyOf").get(1)));
        file.addAll(keys(definitions.get("folder")));
        assertThat(file).isEqualTo(new TreeSet<>(FileEntry.KEYS));
        for (String key : TaskSpec.KEYS) {
            JsonNode described =
                    definitions.get("task").get("properties").get(key).get("description");
            assertThat(described).as("description of " + key).isNotNull();
        }
    }

    private static Set<String> keys(JsonNode object) {
        return new TreeSet<>(object.get("properties").propertyNames());
    }
}
