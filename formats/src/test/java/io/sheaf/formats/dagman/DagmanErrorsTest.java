package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the error messages of the DAGMan reader. In the tables of the tests, a slash stands for a line end. */
class DagmanErrorsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
JOB A | 1:1: JOB needs a name and a submit description: JOB name file.sub
JOB B a.sub/ JOB A a.sub NOPE | 2:2: 'NOPE' is unknown after JOB; use DIR, NOOP or DONE
JOB A a.sub DIR | 1:1: a word is missing; write for example: JOB name file.sub DIR folder
JOB A a.sub/JOB A a.sub | 2:1: node 'A' is declared twice (first at 1:1); names must differ
JOB A none.sub | 1:1: the submit file 'none.sub' of node 'A': cannot be read: no such file
JOB A { executable = x | 1:1: text after '{'; begin the submit commands in the next line
JOB A {/executable = x | 1:1: this brace is never closed; close it with a line '}'
JOB A {/queue/} | 2:1: 'queue' is not allowed in an inline description; remove it
JOB A {/ nonsense/} | 2:2: 'nonsense' is not a submit command; write name = value
JOB A {/if true/} | 2:1: 'if' in a submit description is not supported; write the commands out
JOB A {/arguments @=e/x/} | 2:1: the line '@e' that ends this text is missing; add it
JOB A {/} | 1:1: node 'A' has no executable; add one to its submit description
JOB A {/executable = x/arguments = "a/} | 3:1: a double quote is never closed; close it
JOB A {/executable = x/arguments = "a"b"/} | 3:1: unescaped double quote in quoted text; write it twice
JOB A {/executable = x/arguments = "'a"/} | 3:1: a single quote is never closed; close it, or write it twice between quotes
JOB A {/executable = x/environment = A/} | 3:1: 'A' in the environment is not NAME=value
JOB A {/executable = $(x/} | 2:1: a macro '$(' is never closed; close it with ')'
JOB A {/executable = $ENV(HOME)/} | 2:1: the macro function '$ENV' is not supported; write its value
JOB A {/a = $(b)/b = $(a)/executable = $(a)/} | 4:1: the macros of node 'A' refer to each other without end
JOB A {/executable = x/request_cpus = two/} | 3:1: request_cpus is 'two'; write a whole number, 1 or more
JOB A {/executable = x/request_gpus = -1/} | 3:1: request_gpus is '-1'; write a whole number, 0 or more
JOB A {/executable = x/request_memory = much/} | 3:1: 'much' is not a size; write 512M, 10G, 1.5T or a number of bytes
JOB A {/executable = x/machine_count = 0/} | 3:1: machine_count is '0'; write a whole number, 1 or more
JOB A {/executable = x/+SheafTime = soon/} | 3:1: SheafTime is 'soon'; write a number of seconds
JOB A {/executable = x/+SheafTime = -1/} | 3:1: task 'A' has a negative run time; a run time is 0 or more
JOB A {/executable = x/My.SheafLimit = 0/} | 3:1: task 'A' has a limit of 0; remove or raise it
JOB A {/executable = x/+SheafInputs = "a"/} | 3:1: a list of files is not pairs of a name and a size
JOB A {/executable = env/+SheafOnPath = true/} | 1:1: node 'A' has no program in its arguments
JOB A a.sub/VARS A x=1 | 2:1: a variable of VARS is not name="value"; put its value in double quotes
JOB A a.sub/VARS A x="1 | 2:1: a double quote of VARS is never closed; close it
JOB A1 a.sub/VARS A2 x="1" | 2:1: there is no node 'A2'. Did you mean 'A1'?
JOB A a.sub/RETRY A | 2:1: a word is missing; write for example: RETRY node 3
JOB A a.sub/RETRY A some | 2:1: RETRY is 'some'; write a whole number, 0 or more
JOB A a.sub/PRIORITY A high | 2:1: PRIORITY is 'high'; write a whole number
JOB A a.sub/SCRIPT DURING A x | 2:1: a script is PRE, POST or HOLD, not 'DURING'
JOB A a.sub/SCRIPT PRE A | 2:1: a word is missing; write for example: SCRIPT PRE node program
PARENT A B | 1:1: PARENT needs parents and children: PARENT a b CHILD c d
JOB A a.sub/PARENT A CHILD B | 2:1: task 'A' has an edge with 'B', but there is no task 'B'. Did you mean 'A'?
JOB A a.sub/PARENT A CHILD A | 1:1: the tasks form a cycle: A -> A; remove one of these dependencies
SUBMIT-DESCRIPTION d | 1:1: SUBMIT-DESCRIPTION needs a name and a brace: SUBMIT-DESCRIPTION name {
SUBMIT-DESCRIPTION d {/}/SUBMIT-DESCRIPTION d {/} | 3:1: the submit description 'd' is declared twice; names must differ
SET_JOB_ATTR x | 1:1: SET_JOB_ATTR needs a name and a value: SET_JOB_ATTR name = value
CONFIG c/SET_JOB_ATTR SheafCategory1 = "'x" | 2:1: a quote ' is never closed; close it
CONFIG c/SET_JOB_ATTR SheafCategory1 = "x" | 2:1: SET_JOB_ATTR SheafCategory needs a name and a container
SUBDAG EXTERNAL B b.dag | 1:1: SUBDAG is not supported; write its nodes into one DAG file, or remove it
Splice B b.dag | 1:1: SPLICE is not supported; write its nodes into one DAG file, or remove it
CONFIG c/# x//INCLUDE b.dag | 4:1: INCLUDE is not supported; write its nodes into one DAG file, or remove it
FINAL F a.sub | 1:1: FINAL is not supported; write its nodes into one DAG file, or remove it
JOBB A a.sub | 1:1: 'JOBB' is not a DAGMan command. Did you mean 'JOB'?
""")
    void messagesNameTheProblemAndItsPosition(String text, String message) {
        assertThat(problem(text.replace('/', '\n'), "executable = a\nqueue\n")).isEqualTo("w.dag:" + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
queue 5 | 1:1: a node with several jobs ('queue 5') is not supported; make a node for each
queue/queue | 2:1: a node with several jobs ('queue ') is not supported; make a node for each
executable = a/request_cpus = $(n) | 2:1: request_cpus is ''; write a whole number, 1 or more
include : more.sub | 1:1: 'include' in a submit description is not supported; write the commands out
""")
    void problemsOfSubmitFilesNameTheSubmitFile(String submit, String message) {
        assertThat(problem("JOB A a.sub\n", submit.replace('/', '\n'))).isEqualTo("a.sub:" + message);
    }

    @Test
    void growingMacrosAreRefused() {
        StringBuilder submit = new StringBuilder("m0 = lollollollol\n");
        for (int i = 1; i < 25; i++) {
            submit.append("m")
                    .append(i)
                    .append(" = ")
                    .append(("$(m" + (i - 1) + ")").repeat(10))
                    .append('\n');
        }
        submit.append("executable = $(m24)\n");
        assertThat(problem("JOB A a.sub\n", submit.toString()))
                .isEqualTo("a.sub:26:1: the macros of node 'A' grow without bound");
        String itself = "m = lollollollol\n" + "m = $(m)$(m)\n".repeat(40) + "executable = $(m)\n";
        assertThat(problem("JOB A a.sub\n", itself))
                .isEqualTo("a.sub:18:1: 'm' grows without bound by mentioning itself");
    }

    @Test
    void aFileWithoutNodesIsRefused() {
        String message = "w.dag:1:1: the file contains no node; write a line for each: JOB name file.sub";
        assertThat(problem("", "")).isEqualTo(message);
        assertThat(problem("# nothing yet\n\nCONFIG c\n", "")).isEqualTo(message);
    }

    @Test
    void tooManyEdgesAreRefused() {
        String names = " a".repeat(10_000);
        assertThat(problem("PARENT" + names + " CHILD" + names, ""))
                .isEqualTo("w.dag:1:1: more than 50000000 edges; put a node between the parents and children");
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] bytes = {'#', '\n', ' ', (byte) 0xff, '\n'};
        String message = "";
        try {
            new DagmanReader().read(Source.of("w.dag", bytes), false);
        } catch (InputException e) {
            message = e.getMessage();
        }
        assertThat(message).isEqualTo("w.dag:2:2: this is not UTF-8 text; convert it");
    }

    private static String problem(String dag, String submit) {
        Map<String, byte[]> texts =
                Map.of("w.dag", dag.getBytes(StandardCharsets.UTF_8), "a.sub", submit.getBytes(StandardCharsets.UTF_8));
        try {
            new DagmanReader().read(Source.of("w.dag", texts), false);
            return "no problem";
        } catch (InputException e) {
            return e.getMessage();
        }
    }
}
