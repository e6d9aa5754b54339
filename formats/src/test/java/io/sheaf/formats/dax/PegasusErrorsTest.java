package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the error messages of the Pegasus reader. In the table of the test, a slash stands for a line end. */
class PegasusErrorsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
# nothing | ` is empty`
- a | 1:1: the file must be a map (key: value), not a list
name: x | 1:1: has no 'pegasus: "5.0"'; this is not a workflow of Pegasus 5
pegasus: "4.9" | 1:10: Pegasus version '4.9' is not supported; Sheaf reads 5.x, and DAX (XML) of the earlier ones
pegasus: "5.0" | 1:1: there are no jobs; add at least one below 'jobs:'
pegasus: "5.0"/jobs: x | 2:7: 'jobs' must be a list (- item), not a text
pegasus: "5.0"/job: [] | 2:1: unknown key 'job' in a Pegasus workflow. Did you mean 'jobs'?
pegasus: "5.0"/jobs: []/jobs: [] | 3:1: 'jobs' is given twice; keep one of them
jobs:/  - a | 2:5: a job must be a map (key: value), not a text
jobs:/  - {name: n} | 2:5: a job has no 'id'; add it
jobs:/  - {id: a} | 2:5: job 'a' has no 'name'; add it
jobs:/  - {id: a, name: n, use: []} | 2:22: unknown key 'use' in a job. Did you mean 'uses'?
jobs:/  - {id: a, type: pegasusWorkflow, file: x} | 2:19: job 'a' is a sub-workflow, which Sheaf does not read; plan it separately
jobs:/  - {id: a, name: n, uses: [f]} | 2:29: an entry of 'uses' must be a map (key: value), not a text
jobs:/  - {id: a, name: n, uses: [{lfn: f}]} | 2:29: file 'f' has no 'type'; add it
jobs:/  - {id: a, name: n, uses: [{type: input}]} | 2:29: an entry of 'uses' has no 'lfn'; add it
jobs:/  - {id: a, name: n, uses: [{lfn: f, type: in}]} | 2:44: type 'in' of file 'f' is unknown; write input, output or inout
jobs:/  - {id: a, name: n, uses: [{lfn: f, type: input, size: 1k}]} | 2:57: the size of file 'f' is '1k'; write a whole number, 0 or more
jobs:/  - {id: a, name: n, arguments: x} | 2:33: 'arguments' must be a list (- item), not a text
jobs:/  - {id: a, name: n, arguments: [[x]]} | 2:34: 'arguments' must be a text, not a list
pegasus: "5.0"/jobs:/  - {id: a, name: n, arguments: ["'x"]} | 3:5: a quote ' is never closed; close it
jobs:/  - {id: a, name: n, profiles: {env: x}} | 2:38: profile 'env' must be a map (key: value), not a text
jobs:/  - {id: a, name: n, profiles: {env: {X: [1]}}} | 2:42: 'X' must be a text, not a list
pegasus: "5.0"/jobs:/  - {id: a, name: n, profiles: {pegasus: {cores: 0}}} | 3:50: pegasus profile 'cores' is '0'; write a whole number, 1 or more
pegasus: "5.0"/jobs:/  - {id: a, name: n, profiles: {pegasus: {runtime: -1}}} | 3:52: task 'a' has a negative run time; a run time is 0 or more
jobs:/  - {id: a, name: n}/  - {id: a, name: n} | 3:10: task 'a' is declared twice (first at 2:10); ids must differ
pegasus: "5.0"/jobs:/  - {id: a, name: n}/jobDependencies:/  - {id: a, children: [b]} | 5:24: task 'a' has an edge with 'b', but there is no task 'b'. Did you mean 'a'?
jobDependencies:/  - {children: [b]} | 2:5: a dependency has no 'id'; add it
pegasus: "5.0"/jobs:/  - {id: a, name: n}/jobDependencies:/  - {id: a, children: [a]} | 3:10: the tasks form a cycle: a -> a; remove one of these dependencies
transformationCatalog: {transformations: [{name: t, sites: [{name: s}]}]} | 1:61: the site of transformation 't' has no 'pfn'; add it
transformationCatalog: {transformations: [{name: t, sites: [{name: s, pfn: "file:"}]}]} | 1:76: 'file:' is not the URL of a file; write file:[3]path[1]to[1]program
transformationCatalog: {containers: [{name: c}]} | 1:38: a container has no 'image'; add it
replicaCatalog: {replicas: [{pfns: []}]} | 1:29: a replica has no 'lfn'; add it
pegasus: !x "5.0" | 1:10: the tag !x is not needed here; remove it
pegasus: "5.0"/--- | 2:1: a second document (---) begins here; keep one
""")
    void messagesNameTheProblemAndItsPosition(String text, String message) {
        String expected = message.replace("[3]", "///").replace("[1]", "/");
        assertThat(problem(text.replace('/', '\n'))).isEqualTo("w.yml:" + expected);
    }

    @Test
    void expandingAliasesAndDeepNestingAreRefused() {
        StringBuilder text = new StringBuilder("x-0: &a0 [lol, lol, lol, lol]\n");
        for (int i = 1; i < 20; i++) {
            text.append("x-" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "]\n");
        }
        assertThat(problem(text.toString())).startsWith("w.yml:6:16: ").contains("expand this file");
        assertThat(problem("x-deep: " + "[".repeat(100_000))).contains("nested too deep");
    }

    private static String problem(String text) {
        try {
            new PegasusYaml().read(Source.of("w.yml", text.getBytes(StandardCharsets.UTF_8)), false);
            return "no problem";
        } catch (InputException e) {
            return e.getMessage();
        }
    }
}
