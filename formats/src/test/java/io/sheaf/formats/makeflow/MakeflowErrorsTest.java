package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the error messages of the Makeflow reader. In the table, a slash stands for a line end, a tilde for a tab. */
class MakeflowErrorsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
X=1/# c | 1:1: the file contains no rule; write 'target: source' and below it, after a tab, the command
a: b | 1:1: this rule has no command; write it into the next line, after a tab
a: b/X=1/c: d/~x | 1:1: this rule has no command; write it into the next line, after a tab
a: b/~x/~y | 3:2: a command (this line begins with a blank) without a rule before it; a rule has one command: write 'target: source' above, or remove the blank
echo hi | 1:1: 'echo' begins neither a rule (target: source) nor a variable (NAME=value). A command is indented by a tab
X-Y=1 | 1:1: 'X-Y=1' begins neither a rule (target: source) nor a variable (NAME=value). A command is indented by a tab
=1 | 1:1: '=1' begins neither a rule (target: source) nor a variable (NAME=value). A command is indented by a tab
X:=5 | 1:2: ':=' is make's; Makeflow defines a variable by '='
a: b/~echo $(X) | 2:7: the variable 'X' is not defined here; define it above, or write \\$ to leave it to the shell
a: b/~echo \\\\/  $X | 3:3: the variable 'X' is not defined here; define it above, or write \\$ to leave it to the shell
X="$Y" | 1:4: the variable 'Y' is not defined here; define it above, or write \\$ to leave it to the shell
a: $Y/~x | 1:4: the variable 'Y' is not defined here; define it above, or write \\$ to leave it to the shell
a: b/~echo ${X:-1} | 2:7: '${X:' is not closed; write $(X:), or \\$ to leave it to the shell
a: b/~echo $(X | 2:7: '$(X' is not closed; write $(X), or \\$ to leave it to the shell
a: b/~echo $$ | 2:7: a '$' without the name of a variable; write $(NAME), or \\$ to leave it to the shell
a: b/~it's/c:d | 2:4: a quote ' is never closed; close it
X="1 | 1:3: a quote " is never closed; close it
X=\\'/a: $X/~x | `2:1: a quote ' in a rule's files is never closed; close it`
a: b: c/~x | 1:1: a second colon in a rule; put a file's name that has one in quotes
a: ''/~x | 1:1: a file has an empty name; remove the quotes or fill them
a: b->/~x | 1:1: the file's name in the command is missing after '->'
a: ->b/~x | 1:1: '->' separates a file's name from its name in the command: in.dat->data
a: b->c->d/~x | 1:1: '->' separates a file's name from its name in the command: in.dat->data
a: b/~LOCAL | 2:2: LOCAL has no command; write the command after it
a: b/~LOCAL MAKEFLOW sub | 2:2: MAKEFLOW runs a workflow in the workflow, which Sheaf does not read; write its rules into this file
a: b/~x//c a: b/~y | 4:1: 'a' is made twice (first at 1:1); rename it in one place
a a: b/~x | 1:1: 'a' is made twice (first at 1:1); rename it in one place
a: b/~x/b: a/~x | 1:1: the tasks form a cycle: a -> b -> a; remove one of these dependencies
CORES=two/a: b/~x | 1:1: CORES is 'two'; write a whole number, 1 or more
a: b/@CORES=0/~x | 2:1: CORES is '0'; write a whole number, 1 or more
MEMORY=1G/a: b/~x | 1:1: MEMORY is '1G'; write a whole number, 0 or more
a: b/.MAKEFLOW GPUS -1/~x | 2:1: GPUS is '-1'; write a whole number, 0 or more
.MAKEFLOW CORE 2 | 1:1: unknown variable of .MAKEFLOW: 'CORE'. Did you mean 'CORES'?
.MAKEFLOW CORES | 1:1: expected two words after .MAKEFLOW: .MAKEFLOW CORES 4, or .SIZE in.dat 100M
.UMBRELLA SPEC x | 1:1: '.UMBRELLA' is unknown; use .MAKEFLOW or .SIZE
.SIZE a big | 1:1: 'big' is not a size; write 512M, 10G, 1.5T or a number of bytes
{ "rules": [] } | 1:1: this is Makeflow's other language, JX (or JSON), which Sheaf does not read; write the rules in the classic one
""")
    void messagesNameTheProblemAndItsPosition(String text, String message) {
        String lines = text.replace("\\\\", "\\").replace('/', '\n').replace('~', '\t');
        assertThat(problem(lines)).isEqualTo("w.mf:" + message.replace("\\\\", "\\"));
    }

    @Test
    void growingVariablesAreRefused() {
        String doubled = "X=lollollol\n" + "X=$X$X\n".repeat(60);
        assertThat(problem(doubled)).isEqualTo("w.mf:23:3: the variables of this file grow without bound");
        String appended = "X=lollollol\n" + "X+=$X\n".repeat(60);
        assertThat(problem(appended)).isEqualTo("w.mf:22:1: the variable 'X' grows longer than 16777216 characters");
        Variables variables = new Variables(Map.of());
        for (int i = 0; i < 16; i++) {
            variables.countCharacters(16 << 20, Place.of(7, 1));
        }
        assertThatThrownBy(() -> variables.countCharacters(1, Place.of(7, 1)))
                .hasMessage("line 7:1: the variables of this file grow without bound");
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] bytes = {'#', '\n', ' ', (byte) 0xff, '\n'};
        assertThat(problem(bytes)).isEqualTo("w.mf:2:2: this is not UTF-8 text; convert it");
    }

    private static String problem(String text) {
        return problem(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String problem(byte[] text) {
        try {
            new MakeflowReader(Samples.ENVIRONMENT).read(Source.of("w.mf", text), true);
            return "no problem";
        } catch (InputException e) {
            return e.getMessage();
        }
    }
}
