package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.DebianPackages;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Compares the rules that Sheaf reads with those that Makeflow's own {@code makeflow_viz} reports: commands, files,
 * categories, cores, memory and GPUs.
 *
 * <p>The Debian package coop-computing-tools contains {@code makeflow_viz}; without it, these tests are skipped.
 */
class MakeflowItselfIT {
    private static final String VIZ = "makeflow_viz";

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    static void requireMakeflow() {
        DebianPackages.require(VIZ, "coop-computing-tools");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: b c->d\n\tcat b d > a\n",
                "X=1\nX=$(X)2\na:\n\techo $X ${X} $(X) > a\nX=3\nb: a\n\techo $X\n",
                "X=a b\nY=\"$X\" 'c $X'\na:\n\techo $X $Y \"$Y\"\n",
                "X=1\nX+=2\na:\n@X+=3\n\techo $X\nb:\n\techo $X\n",
                "X=0\nCATEGORY=p\nX=1\nX+=2\na:\n\techo $X\nCATEGORY=q\nb:\n\techo $X\nc:\n@CATEGORY=p\n\techo $X\n",
                "CORES=2\nCATEGORY=p\na: b\n\tx\nCORES=3\nc: b\n\tx\nCATEGORY=q\nd: b\n\tx\ne: b\n@MEMORY=5\n\tx\n",
                "CATEGORY=p\nMEMORY=512\nGPUS=2\na: b\n\tx\n.MAKEFLOW CATEGORY q\n.MAKEFLOW CORES 3\nc: b\n\ty\n",
                "a:\n\techo \"x \\\"q\\\" \\t z\" 'it\\\\s # $X' \\n > a\n",
                "a: b # comment\n# comment\n\n\tLOCAL cat b \\\n  | tr a b > a # x\n",
                "M=LOCAL\na-b c->d:\n\t$M echo 1>a-b\n",
                "F=x y\na: $F z$F 'p q' \"r s\"\n\techo $F\n",
                ": a\n\techo\n",
                "a:\n  echo b=7\nb: a\n\techo \"two\nlines\"\n"
            })
    void sheafAndMakeflowReadTheSameRules(String text) throws IOException, InterruptedException {
        Workflow w = Samples.read(text);
        assertThat(sheafRules(w)).isEqualTo(makeflowRules(text));
    }

    private static List<Map<String, Object>> sheafRules(Workflow w) {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (int task = 0; task < w.size(); task++) {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("command", command(Objects.requireNonNull(w.command(task))));
            List<String> inputs = new ArrayList<>();
            for (int i = 0; i < w.inputs(task); i++) {
                inputs.add(w.fileName(w.input(task, i)));
            }
            rule.put("inputs", inputs);
            List<String> outputs = new ArrayList<>();
            for (int i = 0; i < w.outputs(task); i++) {
                outputs.add(w.fileName(w.output(task, i)));
            }
            rule.put("outputs", outputs);
            rule.put("cores", w.resources(task).cores());
            rule.put("memory", (int) (w.resources(task).memory() >> 20));
            rule.put("gpus", w.resources(task).gpus());
            rules.add(rule);
        }
        return rules;
    }

    /** The command itself, without the script around it that renames files. */
    private static String command(Command command) {
        String script = command.script();
        int from = script.indexOf("\n(\n");
        return from < 0 ? script : script.substring(from + 3, script.indexOf("\n) || exit\n"));
    }

    private List<Map<String, Object>> makeflowRules(String text) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("w.mf"), text);
        Path out = folder.resolve("out.json");
        Process process = new ProcessBuilder(VIZ, "-D", "json", file.toString())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        // The output is not quite JSON: it also escapes single quotes.
        String json = Files.readString(out, StandardCharsets.UTF_8).replace("\\'", "'");
        Map<?, ?> document = map(parsed(json.substring(json.indexOf('{'))));
        Map<?, ?> categories = map(document.get("categories"));
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Object entry : (List<?>) Objects.requireNonNull(document.get("rules"))) {
            Map<?, ?> fields = (Map<?, ?>) entry;
            Object category = fields.containsKey("category") ? fields.get("category") : "default";
            Map<?, ?> resources = map(categories.get(Objects.requireNonNull(category)));
            Map<?, ?> own = fields.containsKey("resources") ? map(fields.get("resources")) : Map.of();
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("command", String.valueOf(fields.get("command")).strip());
            rule.put("inputs", names(Objects.requireNonNull(fields.get("inputs"))));
            rule.put("outputs", names(Objects.requireNonNull(fields.get("outputs"))));
            rule.put("cores", number(own, resources, "cores", 1));
            rule.put("memory", number(own, resources, "memory", 0));
            rule.put("gpus", number(own, resources, "gpus", 0));
            rules.add(rule);
        }
        return rules;
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }

    private static int number(Map<?, ?> own, Map<?, ?> category, String name, int defaultValue) {
        Object value = own.containsKey(name) ? own.get(name) : category.get(name);
        return value == null ? defaultValue : Integer.parseInt(value.toString());
    }

    /** A renamed file is listed with both names; {@code task_name} is the file's own. Files may be listed twice. */
    private static List<String> names(Object files) {
        List<String> names = new ArrayList<>();
        for (Object file : (List<?>) files) {
            names.add(file instanceof Map<?, ?> renamed ? String.valueOf(renamed.get("task_name")) : file.toString());
        }
        HashSet<String> seen = new HashSet<>();
        names.removeIf(name -> !seen.add(name));
        return names;
    }

    private static Object parsed(String json) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            return value(parser, parser.nextToken());
        }
    }

    private static Object value(JsonParser parser, JsonToken token) {
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                map.put(name, value(parser, parser.nextToken()));
            }
            return map;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                list.add(value(parser, next));
            }
            return list;
        }
        return parser.getString();
    }
}
