package io.sheaf.formats.dax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DaxErrorsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
<dag/> | 1:7: the root element is <dag>, not <adag>; this is not a DAX file
<adag version='9.1'/> | 1:22: DAX version '9.1' is not supported; Sheaf reads 2.1 and 3.x
<adag> <jobb/></adag> | 1:8: <jobb> is not allowed in <adag>. Did you mean 'job'?
<adag><dax id='s' file='x'/></adag> | 1:7: <dax id="s"> is a sub-workflow, which Sheaf does not read; plan it separately
<adag><job name='n'/></adag> | 1:7: <job> has no attribute 'id'; add it
<adag><job id='a'/></adag> | 1:7: <job> has no attribute 'name'; add it
<adag><job id='a' name='n' runtime='long'/></adag> | 1:7: the run time of task 'a' is 'long'; write a number of seconds
<adag><job id='a' name='n' runtime='-1'/></adag> | 1:7: task 'a' has a negative run time; a run time is 0 or more
<adag><job id='a' name='n' runtime='-0.000001'/></adag> | 1:7: task 'a' has a negative run time; a run time is 0 or more
<adag><job id='a' name='n' runtime='1e99'/></adag> | 1:7: 1E+99 seconds is too long a time
<adag><job id='a' name='n' numcores='0'/></adag> | 1:7: pegasus profile 'cores' is '0'; write a whole number, 1 or more
<adag><job id='a' name='n'><use/></job></adag> | 1:28: <use> is not allowed in <job>. Did you mean 'uses'?
<adag><job id='a' name='n'><uses/></job></adag> | 1:28: <uses> has no attribute 'name'; add it
<adag><job id='a' name='n'><uses file='f' link='in'/></job></adag> | 1:28: link 'in' of file 'f' is unknown; write input, output or inout
<adag><job id='a' name='n'><uses file='f' size='1k'/></job></adag> | 1:28: the size of file 'f' is '1k'; write a whole number, 0 or more
<adag><job id='a' name='n'><argument>'x</argument></job></adag> | 1:7: a quote ' is never closed; close it
<adag><job id='a' name='n'><argument><b/></argument></job></adag> | 1:38: <b> is not allowed in <argument>.
<adag><job id='a' name='n'><profile key='k'/></job></adag> | 1:28: <profile> has no attribute 'namespace'; add it
<adag><job id='a' name='n'><profile namespace='dagman' key='retry'>x</profile></job></adag> | 1:28: dagman profile 'retry' is 'x'; write a whole number, 0 or more
<adag><job id='a' name='n'><profile namespace='dagman' key='priority'>x</profile></job></adag> | 1:28: dagman profile 'priority' is 'x'; write a whole number
<adag><job id='a' name='n'><profile namespace='pegasus' key='memory'>much</profile></job></adag> | 1:28: 'much' is not a size; write 512M, 10G, 1.5T or a number of bytes
<adag><job id='a' name='n'><metadata key='sheaf.limit'>0</metadata></job></adag> | 1:7: task 'a' has a limit of 0; remove or raise it
<adag><job id='a' name='n'><metadata key='sheaf.scaling'>8</metadata></job></adag> | 1:28: '8' is not CORES=SECONDS; write for example 1=120.5 8=20
<adag><job id='a' name='n'><metadata key='sheaf.scaling'>8=-2</metadata></job></adag> | 1:28: '8=-2' is a negative run time; a run time is 0 or more
<adag><metadata key='sheaf.category'>x</metadata></adag> | 1:7: metadata 'sheaf.category' needs a name and a container
<adag><executable name='e'><pfn url='file:'/></executable></adag> | 1:28: 'file:' is not the URL of a file; write file:///path/to/program
<adag><job id='a' name='n'/><job id='a' name='n'/></adag> | 1:29: task 'a' is declared twice (first at 1:7); ids must differ
<adag><job id='a1' name='n'/><child ref='a1'><parent ref='a2'/></child></adag> | 1:46: task 'a1' has an edge with 'a2', but there is no task 'a2'. Did you mean 'a1'?
<adag><child ref='a'><parrent ref='b'/></child></adag> | 1:22: <parrent> is not allowed in <child>. Did you mean 'parent'?
<adag><child/></adag> | 1:7: <child> has no attribute 'ref'; add it
<adag><job id='a' name='n'/><child ref='a'><parent ref='a'/></child></adag> | 1:7: the tasks form a cycle: a -> a; remove one of these dependencies
<adag>&lt;&x;</adag> | 1:11: an entity reference is not allowed; write the text itself
""")
    void messagesNameTheProblemAndItsPosition(String text, String message) {
        assertThat(problem(text)).isEqualTo("w.dax:" + message);
    }

    @Test
    void textIsReadInItsDeclaredEncoding() {
        String text = "<?xml version='1.0' encoding='%s'?><adag><job id='é' name='n'/></adag>";
        for (String encoding : new String[] {"ISO-8859-1", "UTF-8", "UTF-16"}) {
            byte[] bytes = String.format(text, encoding).getBytes(Charset.forName(encoding));
            assertThat(new DaxReader().read(Source.of("w.dax", bytes), false).id(0))
                    .isEqualTo("é");
        }
        assertThat(problem(String.format(text, "EBCDIC-9")))
                .isEqualTo("w.dax:1:1: the encoding 'EBCDIC-9' is unknown; save the file as UTF-8");
        byte[] latin = "<adag>\n <job id='é'".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> new DaxReader().read(Source.of("w.dax", latin), false))
                .hasMessage("w.dax:2:11: these bytes are no text in the file's encoding; save the file as UTF-8");
    }

    @Test
    void reportsTwoProducersOfAFile() {
        String uses = "<uses file='f' link='output'/>";
        String text = "<adag><job id='a' name='n'>" + uses + "</job>\n<job id='b' name='n'>" + uses + "</job></adag>";
        assertThatThrownBy(() -> new DaxReader().read(source(text), true))
                .isInstanceOf(InputException.class)
                .hasMessage("w.dax:2:1: file 'f' is written by two tasks, 'a' and 'b'; "
                        + "rename one, or use --no-file-edges");
        assertThat(new DaxReader().read(source(text), false).edges()).isZero();
    }

    @Test
    void refusesExternalEntities() {
        String text = "<?xml version='1.0'?>\n<!DOCTYPE adag [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>\n"
                + "<adag name='&x;'><job id='a' name='&x;'/></adag>";
        assertThat(problem(text)).isEqualTo("w.dax:2:61: a document type (DOCTYPE) is not allowed; remove it");
    }

    @Test
    void refusesABillionLaughs() {
        StringBuilder text = new StringBuilder("<!DOCTYPE adag [<!ENTITY l0 'lol'>");
        for (int i = 1; i < 10; i++) {
            text.append("<!ENTITY l")
                    .append(i)
                    .append(" '")
                    .append(("&l" + (i - 1) + ";").repeat(10))
                    .append("'>");
        }
        text.append("]><adag name='&l9;'/>");
        assertThat(problem(text.toString()))
                .isEqualTo("w.dax:1:533: a document type (DOCTYPE) is not allowed; remove it");
    }

    @Test
    void reportsThePositionOfMalformedXml() {
        assertThat(problem("<adag>\n  <job id='a'\n</adag>")).startsWith("w.dax:3:1: this is not well-formed XML: ");
        assertThat(problem("")).startsWith("w.dax:1:1: this is not well-formed XML: ");
    }

    private static String problem(String text) {
        try {
            new DaxReader().read(source(text), false);
            return "no problem";
        } catch (InputException e) {
            return e.getMessage();
        }
    }

    private static Source source(String text) {
        return Source.of("w.dax", text.getBytes(StandardCharsets.UTF_8));
    }
}
