package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the whole text of the error messages of the Sheaf YAML reader: problem, position and remedy. */
class RefusalsTest {
    private static final String NO_CORES =
            "is not a number of cores; write a whole number, or a fraction of one core in steps of 0.001, such as 0.5";

    static Stream<Arguments> wholeFile() {
        return Stream.of(
                arguments("", "w.yaml: is empty; a workflow file needs 'tasks:' with at least a task below it"),
                arguments(
                        "- a\n",
                        "w.yaml:1:1: is not a workflow; a workflow file needs 'tasks:' with at least a task below it"),
                arguments(
                        "name: x\n",
                        "w.yaml:1:1: there are no tasks; a workflow file needs 'tasks:' with at least a task below it"),
                arguments("task: {}\n", "w.yaml:1:1: unknown key 'task' in the file. Did you mean 'tasks'?"),
                arguments(
                        "zzzz: 1\n",
                        "w.yaml:1:1: unknown key 'zzzz' in the file. Known keys: name, edges, vars, defaults, categories, tasks"),
                arguments("tasks: {}\ntasks: {}\n", "w.yaml:2:1: 'tasks' is given twice; keep one of them"),
                arguments(
                        "tasks:\n- id: a\n",
                        "w.yaml:2:1: 'tasks' must be a map from names to tasks, with lines such as 'align:' and the task"
                                + " below, indented"),
                arguments(
                        "tasks: {}\n---\ntasks: {}\n",
                        "w.yaml:2:1: a second document (---) begins here; put one workflow into a file"),
                arguments(
                        "edges: all\ntasks: {}\n",
                        "w.yaml:1:8: 'edges' must be 'files' (a task waits for the writers of its inputs) or 'after'"
                                + " (only for what 'after' lists), not 'all'"),
                arguments("name:\ntasks: {}\n", "w.yaml:1:6: 'name' has no value; give it one or remove it"),
                arguments("name: [a]\ntasks: {}\n", "w.yaml:1:7: 'name' must be a text, not a list"),
                arguments("vars: 3\ntasks: {}\n", "w.yaml:1:7: 'vars' must be a map (key: value), not a text"));
    }

    static Stream<Arguments> yaml() {
        return Stream.of(
                arguments("tasks:\n\ta: {}\n", "w.yaml:2:1: a tab is used to indent; YAML needs spaces"),
                arguments(
                        "tasks:\n  a:\n    out: x\n     run: y\n",
                        "w.yaml:4:9: this line is not indented like the keys above it, or has a value with ': ' that needs"
                                + " quotes"),
                arguments("tasks: !!map {}\n", "w.yaml:1:8: the tag !!map is not needed here; remove it"),
                arguments("tasks:\n  a: {time: !!str 5}\n", "w.yaml:2:13: the tag !!str is not needed here; remove it"),
                arguments("tasks:\n  a: {run: *x}\n", "w.yaml:2:12: alias '*x' has no anchor; define '&x' before it"),
                arguments(
                        "tasks:\n  a: &x {env: *x}\n", "w.yaml:2:15: alias '*x' has no anchor; define '&x' before it"),
                arguments("tasks:\n  a: {run: a, run: b}\n", "w.yaml:2:15: 'run' is given twice; keep one of them"),
                arguments(
                        "tasks:\n  ? [a]\n  : {}\n", "w.yaml:2:5: a key must be a text, not a list, a map or an alias"),
                arguments(
                        "tasks:\n  a:\n    in: {x}.txt\n",
                        "w.yaml:3:12: this is not YAML, probably because a value starts with '{'; put such a value in double"
                                + " quotes"),
                arguments(
                        "tasks:\n  a:\n    in: {x}\n", "w.yaml:3:9: put {x} in double quotes; YAML takes it for a map"),
                arguments(
                        "tasks:\n  a: {in: [b}\n",
                        "w.yaml:2:13: is not YAML while parsing a flow sequence: expected ',' or ']', but got }"),
                arguments(
                        "tasks:\n  a: {env: " + "[".repeat(30) + "]\n",
                        "w.yaml:2:28: lists and maps are nested too deep here; no part of a workflow is"));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                arguments("a: {cpus: 3}", "w.yaml:2:7: unknown key 'cpus' in task 'a'. Did you mean 'cores'?"),
                arguments("a: {output: b}", "w.yaml:2:7: unknown key 'output' in task 'a'. Did you mean 'out'?"),
                arguments("a: {mem: 3G}", "w.yaml:2:7: unknown key 'mem' in task 'a'. Did you mean 'memory'?"),
                arguments("a: {tiem: 3}", "w.yaml:2:7: unknown key 'tiem' in task 'a'. Did you mean 'time'?"),
                arguments("a: 3", "w.yaml:2:6: task 'a' must be a map (key: value), not a text"),
                arguments(
                        "a: {time: soon}",
                        "w.yaml:2:13: task 'a': 'soon' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00"),
                arguments("a: {time: -5}", "w.yaml:2:13: task 'a': '-5' is negative; a time is 0 or more"),
                arguments(
                        "a: {foreach: {x: [1]}, time: \"-{x}s\"}",
                        "w.yaml:2:32: task 'a-1': '-1s' is negative; a time is 0 or more"),
                arguments(
                        "a: {time: 4000000d}",
                        "w.yaml:2:13: task 'a': '4000000d' is too long a time; the longest is 10,000 years"),
                arguments("a: {limit: 0}", "w.yaml:2:14: task 'a' has a limit of 0; remove or raise it"),
                arguments("a: {time: [1]}", "w.yaml:2:13: 'time' must be a text, not a list"),
                arguments(
                        "a: {time: {x: 1h}}",
                        "w.yaml:2:14: 'x' is not a number of cores; a table of times looks like {1: 1h, 8: 10m}"),
                arguments("a: {time: {}}", "w.yaml:2:13: this table of times is empty; it looks like {1: 1h, 8: 10m}"),
                arguments(
                        "a: {time: {expected: 1h}}",
                        "w.yaml:2:13: this table of times is empty; it looks like {1: 1h, 8: 10m}"),
                arguments(
                        "a: {time: {2: x}}",
                        "w.yaml:2:17: 'x' is not a time; write 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00"),
                arguments(
                        "a: {time: {2000000000: 9999d}}",
                        "w.yaml:2:13: the run time multiplied by the number of cores is too large"),
                arguments("a: {cores: 0}", "w.yaml:2:14: '0' " + NO_CORES),
                arguments("a: {cores: 2.5}", "w.yaml:2:14: '2.5' " + NO_CORES),
                arguments("a: {cores: -0.5}", "w.yaml:2:14: '-0.5' " + NO_CORES),
                arguments("a: {cores: 0.0005}", "w.yaml:2:14: '0.0005' " + NO_CORES),
                arguments("a: {cores: .nan}", "w.yaml:2:14: '.nan' " + NO_CORES),
                arguments(
                        "a: {cores: 0.5, nodes: 2}",
                        "w.yaml:2:14: task 'a' needs 0.5 cores on each of 2 nodes; a task of several nodes needs whole"
                                + " cores on each. Maybe set cores: 1"),
                arguments(
                        "a: {gpus: -1}", "w.yaml:2:13: '-1' is not a number of GPUs; write 2, a100:2 or a100:2,v100:1"),
                arguments("a: {nodes: x}", "w.yaml:2:14: 'nodes' must be a whole number of at least 1, not 'x'"),
                arguments(
                        "a: {retries: yes}", "w.yaml:2:16: 'retries' must be a whole number of at least 0, not 'yes'"),
                arguments("a: {priority: hi}", "w.yaml:2:17: 'priority' must be a whole number, not 'hi'"),
                arguments(
                        "a: {memory: lots}",
                        "w.yaml:2:15: 'lots' is not a size; write 512M, 10G, 1.5T or a number of bytes"),
                arguments("a: {run: []}", "w.yaml:2:12: 'run' has no program; give one or remove it"),
                arguments("a: {run: [\"{in}\"]}", "w.yaml:2:12: 'run' has no program; give one or remove it"),
                arguments("a: {run: {b: c}}", "w.yaml:2:12: 'run' must be a text, not a map"),
                arguments("a: {env: [x]}", "w.yaml:2:12: 'env' must be a map (key: value), not a list"),
                arguments(
                        "a: {run: b, env: {X: [1]}}",
                        "w.yaml:2:24: the environment variable 'X' must be a text, not a list"),
                arguments("a: {env: {X: y}}", "w.yaml:2:12: 'a' has 'env' but nothing to 'run'"),
                arguments(
                        "a: {category: c, setup: x}",
                        "w.yaml:2:27: 'setup' is the same for a whole category; put it under categories, 'c'"),
                arguments("\"\": {run: a}", "w.yaml:2:3: a task has an empty id; give it a name"));
    }

    static Stream<Arguments> files() {
        return Stream.of(
                arguments("a: {in: {name: b, siz: 1}}", "w.yaml:2:21: unknown key 'siz' in 'in'. Did you mean 'size'?"),
                arguments("a: {in: \"\"}", "w.yaml:2:11: a file name is empty; give one"),
                arguments("a: {in: [[b]]}", "w.yaml:2:12: 'in' must be a text, not a list"),
                arguments(
                        "a: {in: {name: b, size: x}}",
                        "w.yaml:2:27: 'x' is not a size; write 512M, 10G, 1.5T or a number of bytes"),
                arguments(
                        "a: {in: {size: 5}}",
                        "w.yaml:2:11: a file is {name: …, size: …}, a folder {dir: …}; the files that tasks write are {from: …, only: …}"),
                arguments("a: {out: {from: b}}", "w.yaml:2:19: 'from' belongs to 'in'; a task's own files are named"),
                arguments(
                        "a: {in: {from: zebra}}",
                        "w.yaml:2:18: 'a' refers to 'zebra', but there is no task or group 'zebra'."),
                arguments(
                        "a: {out: x}\n  b: {in: {from: a, only: y*}}",
                        "w.yaml:3:18: 'a' writes no file that fits 'y*'; list what it writes under 'out'"),
                arguments(
                        "a:\n  b: {in: {from: a}}", "w.yaml:3:18: 'a' writes no file; list what it writes under 'out'"),
                arguments(
                        "a: {out: x}\n  b: {out: x}",
                        "w.yaml:3:3: file 'x' is written by two tasks, 'a' and 'b'; rename one, or use --no-file-edges"));
    }

    static Stream<Arguments> names() {
        return Stream.of(
                arguments(
                        "align:\n  b: {after: alin}",
                        "w.yaml:3:14: 'b' refers to 'alin', but there is no task or group 'alin'. Did you mean 'align'?"),
                arguments(
                        "a: {after: c}\n  b: {after: a}\n  c: {after: b}",
                        "w.yaml:2:3: the tasks form a cycle: a -> b -> c -> a; remove one of these dependencies"),
                arguments(
                        "a: {after: a}",
                        "w.yaml:2:3: the tasks form a cycle: a -> a; remove one of these dependencies"),
                arguments("a:\n  a:", "w.yaml:3:3: task 'a' is declared twice (first at 2:3); ids must differ"),
                arguments(
                        "a: {foreach: {i: 1..2}}\n  a: {foreach: {i: 1..2}, id: \"b{i}\"}",
                        "w.yaml:3:3: 'a' is declared twice; names must differ"),
                arguments(
                        "a: {foreach: {i: 1..2}}\n  b: {foreach: {i: [a]}, id: \"{i}\"}",
                        "w.yaml:2:3: 'a' names both a task and a group of tasks; rename one"),
                arguments(
                        "a: {foreach: {i: 1..2}, after: a}",
                        "w.yaml:2:34: a task of 'a' would wait for all tasks of 'a', including itself"),
                arguments(
                        "a: {foreach: {i: 1..2}, id: same}",
                        "w.yaml:2:31: task 'same' is declared twice (first at 2:31); ids must differ"));
    }

    static Stream<Arguments> variables() {
        return Stream.of(
                arguments(
                        "a: {foreach: {sample: [x]}, in: \"{sampel}.txt\"}",
                        "w.yaml:2:35: there is no variable 'sampel' here. Did you mean 'sample'? Write {{sampel}} for"
                                + " literal braces"),
                arguments(
                        "a:\n    run: |\n      echo a\n      awk '{print}'",
                        "w.yaml:5: there is no variable 'print' here. Write {{print}} for literal braces"),
                arguments("a: {out: \"{in}.x\"}", "w.yaml:2:12: {in} can be used in run and env only"),
                arguments(
                        "a: {foreach: {}}",
                        "w.yaml:2:16: foreach must be a map from variables to values, as in 'foreach: {x: [a, b], i:"
                                + " 1..3}', or a list of such maps"),
                arguments(
                        "a: {foreach: {x: foo}}",
                        "w.yaml:2:20: 'foo' is neither a list, nor a range such as 1..10, nor the name of a list in vars."),
                arguments("a: {foreach: {x: []}}", "w.yaml:2:20: 'x' has no values; list some"),
                arguments(
                        "a: {foreach: {x: 5..1}}",
                        "w.yaml:2:20: the range 5..1 is empty; the start must not be above the end, and the step must be above 0"),
                arguments(
                        "a: {foreach: {in: [b]}}",
                        "w.yaml:2:17: a variable cannot be called 'in': {in} is replaced by the task's files"),
                arguments(
                        "a: {foreach: {a-b: [b]}}",
                        "w.yaml:2:17: 'a-b' cannot name a variable; use letters, digits and _"),
                arguments(
                        "a: {foreach: [{x: 1}, {y: 2}]}",
                        "w.yaml:2:25: every row of a foreach needs the same variables, here [x]"),
                arguments(
                        "a: {foreach: [{x: 1}, {x: 1, y: 2}]}",
                        "w.yaml:2:25: every row of a foreach needs the same variables, here [x]"),
                arguments(
                        "a-{x}: {foreach: {x: [1]}}",
                        "w.yaml:2:3: a foreach's key names the whole group; name its tasks by 'id: a-{x}' below it"),
                arguments(
                        "a: {id: b}", "w.yaml:2:11: 'id' is for the tasks of a foreach; this one is called by its key"),
                arguments(
                        "a: {foreach: {x: 1..4000, y: 1..4000}}",
                        "w.yaml:2:16: this makes more than 10,000,000 tasks; Sheaf does not read more"),
                arguments(
                        "a: {foreach: {x: 1..999999999999}}",
                        "w.yaml:2:16: this makes more than 10,000,000 tasks; Sheaf does not read more"),
                arguments("a: {foreach: {n: [1, two]}, cores: \"{n}\"}", "w.yaml:2:38: 'two' " + NO_CORES));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource({"wholeFile", "yaml"})
    void invalidFilesAreRefused(String text, String message) {
        assertThatThrownBy(() -> Yaml.read(text))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource({"values", "files", "names", "variables"})
    void invalidTasksAreRefused(String task, String message) {
        assertThatThrownBy(() -> Yaml.read("tasks:\n  " + task + "\n"))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void refusesListsAsTexts() {
        assertThatThrownBy(() -> Yaml.read("vars: {xs: [1]}\ntasks:\n  a: {run: \"echo {xs}\"}\n"))
                .hasMessage("w.yaml:3:12: 'xs' is a list; use it in a foreach, as in 'foreach: {x: xs}'");
        assertThatThrownBy(() -> Yaml.read("vars: {xs: [1]}\ntasks:\n  a: {foreach: {x: xz}}\n"))
                .hasMessage(
                        "w.yaml:3:20: 'xz' is neither a list, nor a range such as 1..10, nor the name of a list in vars."
                                + " Did you mean 'xs'?");
    }

    @Test
    void refusesUnknownKeysEverywhere() {
        assertThatThrownBy(() -> Yaml.read("defaults: {core: 1}\ntasks: {}\n"))
                .hasMessage("w.yaml:1:12: unknown key 'core' in 'defaults'. Did you mean 'cores'?");
        assertThatThrownBy(() -> Yaml.read("categories: {c: {core: 1}}\ntasks: {}\n"))
                .hasMessage("w.yaml:1:18: unknown key 'core' in category 'c'. Did you mean 'cores'?");
    }

    @Test
    void refusesAliasBombs() {
        StringBuilder bomb = new StringBuilder("vars:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("  a" + i + ": &a" + i + " ["
                            + String.join(", ", List.of(alias, alias, alias, alias, alias, alias)))
                    .append("]\n");
        }
        assertThatThrownBy(() -> Yaml.read(bomb + "tasks: {}\n"))
                .hasMessage(
                        "w.yaml:8:12: aliases (*a5) expand this file to more than 100000 parts; use vars, defaults or"
                                + " categories instead");
    }

    @Test
    void refusesBytesThatAreNotText() {
        byte[] latin1 = "name: \u00fc\ntasks: {}\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Yaml.read(latin1))
                .hasMessage("w.yaml:1:7: this is not UTF-8 text; save the file as UTF-8");
        assertThatThrownBy(() -> Yaml.read("name: x\ntasks: {a\u0001: {}}\n"))
                .hasMessage(
                        "w.yaml:2:10: the character U+0001 is not allowed in a YAML file; write \"\\u0001\" or remove it");
    }

    @Test
    void refusesWorkflowsThatExceedTheMemoryBudget() {
        String text = "tasks:\n  a: {foreach: {i: 1..1000}}\n  b: {foreach: {i: 1..1000}, after: a}\n";
        Document document = Document.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Source.of("w.yaml", new byte[0]));
        WorkflowBuilder builder = new WorkflowBuilder("w");
        assertThatThrownBy(() ->
                        new Expansion(document, builder, new Budget(20 << 20), new Deferral(document, Set.of())).run())
                .hasMessage(
                        "line 3:37: this workflow needs more than 20M of memory, with what this line makes; have fewer tasks"
                                + " or dependencies, or give Java more memory (-Xmx)");
    }
}
