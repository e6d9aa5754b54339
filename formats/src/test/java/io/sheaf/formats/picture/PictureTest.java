package io.sheaf.formats.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.WorkflowWriter;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.stream.IntStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;

class PictureTest {
    @Test
    void svgIsWellFormedAndShowsEachTask() throws IOException, XMLStreamException {
        for (int seed = 0; seed < 50; seed++) {
            Workflow w = RandomWorkflows.withEverything(seed).next();
            String svg = drawn(new SvgWriter(), w);
            // One for the picture and one for each task.
            assertThat(elements(svg, "title")).isEqualTo(w.size() + 1);
            assertThat(svg).doesNotContain("<script").doesNotContain("href").doesNotContain("url(");
            assertThat(svg.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
        }
    }

    @Test
    void svgEscapesNames() throws IOException, XMLStreamException {
        WorkflowBuilder builder = new WorkflowBuilder("<&\u0001\">");
        builder.category(builder.task("]]><script>"), "\ud83c\udf3e & co");
        String svg = drawn(new SvgWriter(), builder.build());
        assertThat(elements(svg, "script")).isZero();
        assertThat(svg).contains("&lt;&amp;\ufffd&quot;&gt;").contains("\ud83c\udf3e &amp; co (1)");
    }

    @Test
    void drawsAWorkflowWithoutTasks() throws IOException, XMLStreamException {
        Workflow w = new WorkflowBuilder("empty").build();
        assertThat(elements(drawn(new SvgWriter(), w), "title")).isEqualTo(1);
        assertThat(drawn(new DotWriter(), w))
                .startsWith("digraph \"empty\" {\n")
                .endsWith("}\n");
    }

    @Test
    void labelsFewTasksOnly() throws IOException, XMLStreamException {
        // Title, summary, two lines for the level, one category; with few tasks also each task's id.
        assertThat(elements(drawn(new SvgWriter(), bag(60)), "text")).isEqualTo(5 + 60);
        assertThat(elements(drawn(new SvgWriter(), bag(61)), "text")).isEqualTo(5);
    }

    @Test
    void drawingIsReproducible() throws IOException {
        Workflow w = RandomWorkflows.withEverything(3).next();
        Workflow same = RandomWorkflows.withEverything(3).next();
        assertThat(drawn(new SvgWriter(), w)).isEqualTo(drawn(new SvgWriter(), same));
        assertThat(drawn(new DotWriter(), w)).isEqualTo(drawn(new DotWriter(), same));
    }

    @Test
    void categoriesBeyondTheEighthHaveMarks() {
        assertThat(Palette.colour(8)).isEqualTo(Palette.colour(0));
        assertThat(Palette.mark(0)).isEqualTo(Palette.Mark.FILLED);
        assertThat(Palette.mark(8)).isEqualTo(Palette.Mark.DOTTED);
        assertThat(Palette.mark(31)).isEqualTo(Palette.Mark.OUTLINED_AND_DOTTED);
        assertThat(Palette.mark(32)).isEqualTo(Palette.Mark.FILLED);
    }

    @Test
    void writesRoundedNumbersWithoutTrailingZeros() {
        assertThat(Svg.number(0, 1)).isEqualTo("0");
        assertThat(Svg.number(12.34, 1)).isEqualTo("12.3");
        assertThat(Svg.number(-7.96, 1)).isEqualTo("-8");
        assertThat(Svg.number(0.123, 2)).isEqualTo("0.12");
        assertThat(Svg.number(0.5, 2)).isEqualTo("0.5");
        assertThat(Svg.number(1e9, 1)).isEqualTo("1000000000");
    }

    @Test
    void writesDot() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("two \"steps\"");
        int first = builder.task("a");
        builder.category(first, "make").time(first, 90_000_000);
        int second = builder.task("b");
        builder.category(second, "use").edge(first, second);
        assertThat(drawn(new DotWriter(), builder.build())).isEqualTo("""
                        digraph "two \\"steps\\"" {
                          graph [label="two \\"steps\\"\\n2 tasks, 1 edge, 2 levels, 1m30s of work", labelloc=t, \
                        fontname="sans-serif", nodesep=0.2, ranksep=0.4];
                          node [style="filled", fontname="sans-serif", fontsize=10, shape=box, height=0.3];
                          edge [color="#4b556380", arrowsize=0.5];
                          subgraph cluster_legend {
                            label=""; color="#d1d5db";
                            "legend 0" [shape=box, label="make (1)", fillcolor="#0072b2", color="#0072b2", \
                        fontcolor="#ffffff"];
                            "legend 1" [shape=box, label="use (1)", fillcolor="#e69f00", color="#e69f00", \
                        fontcolor="#000000"];
                          }
                          { rank=same;
                            "a" [fillcolor="#0072b2", color="#0072b2", fontcolor="#ffffff", \
                        tooltip="a\\nmake, level 0\\ntime 1m30s\\n1 core\\n0 parents, 1 child"];
                          }
                          { rank=same;
                            "b" [fillcolor="#e69f00", color="#e69f00", fontcolor="#000000", \
                        tooltip="b\\nuse, level 1\\n1 core\\n1 parent, 0 children"];
                          }
                          "a" -> { "b" };
                        }
                        """);
    }

    private static Workflow bag(int tasks) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        IntStream.range(0, tasks).forEach(i -> builder.task("t" + i));
        return builder.build();
    }

    private static String drawn(WorkflowWriter writer, Workflow workflow) throws IOException {
        StringWriter out = new StringWriter();
        writer.write(workflow, out);
        return out.toString();
    }

    /** How many elements of this name a well-formed document has. */
    private static int elements(String xml, String name) throws XMLStreamException {
        XMLStreamReader reader = XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(xml));
        int count = 0;
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamReader.START_ELEMENT
                    && reader.getLocalName().equals(name)) {
                count++;
            }
        }
        return count;
    }
}
