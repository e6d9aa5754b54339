package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DagmanRoundTripTest {
    @Test
    void keepsEverything() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Workflow workflow = RandomWorkflows.withEverything(seed).next();
            SameWorkflow.assertSame(workflow, roundTrip(workflow));
        }
    }

    @Test
    void keepsUnusualNamesAndArguments() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("a \"b\" $(c) \\ \n d");
        String[] programs = {"python3", "./here", "bin/x y", "/opt/$(JOB)", "odd\nname", " /blank", "/q\"uote"};
        for (String program : programs) {
            int task = builder.task("a.b+" + builder.size());
            builder.category(task, "two words").command(task, Command.of(List.of(program, "$(x)", "@end\n@end_")));
        }
        builder.task("a_b_0");
        builder.task("Parent");
        builder.task("ünï#");
        Workflow workflow = builder.build();
        SameWorkflow.assertSame(workflow, roundTrip(workflow));
    }

    @Test
    void writesOneFile() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("small");
        int first = builder.task("a");
        builder.category(first, "prepare")
                .time(first, 1_500_000)
                .retries(first, 2)
                .priority(first, -3);
        builder.command(first, Command.script("echo 'it is' \"$HOME\""));
        builder.resources(first, new Resources(4, 1L << 30, 1, 2));
        builder.output(first, builder.file("x", 10));
        for (String id : List.of("b.1", "c")) {
            int task = builder.task(id);
            builder.category(task, "work").time(task, 2_000_000).edge(first, task);
            builder.limit(task, 60_500_000, 0);
        }
        assertThat(written(builder.build())).isEqualTo("""
                        SET_JOB_ATTR SheafWorkflow = "small"
                        SET_JOB_ATTR SheafPriorities = "ranks"

                        JOB a {
                            executable = /bin/sh
                            transfer_executable = false
                            arguments = "-c 'echo ''it is'' ""$(DOLLAR)HOME""'"
                            universe = parallel
                            machine_count = 2
                            request_cpus = 4
                            request_memory = 1G
                            request_gpus = 1
                            My.SheafTime = 1.5
                            My.SheafPriority = -3
                            My.SheafOutputs = "x 10"
                        }
                        CATEGORY a prepare
                        RETRY a 2
                        PRIORITY a 2

                        JOB b_1 {
                            executable = /bin/true
                            transfer_executable = false
                            My.SheafShapeOnly = true
                            allowed_execute_duration = 61
                            My.SheafLimit = 60.5
                            My.SheafId = "b.1"
                            My.SheafTime = 2
                        }
                        CATEGORY b_1 work
                        PRIORITY b_1 1

                        JOB c {
                            executable = /bin/true
                            transfer_executable = false
                            My.SheafShapeOnly = true
                            allowed_execute_duration = 61
                            My.SheafLimit = 60.5
                            My.SheafTime = 2
                        }
                        CATEGORY c work
                        PRIORITY c 1

                        PARENT a CHILD b_1 c
                        """);
    }

    @Test
    void refusesLinesThatWouldEndADescription() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.command(builder.task("t"), Command.script("f() {\n}\nf"));
        assertThatThrownBy(() -> written(builder.build()))
                .isInstanceOf(InputException.class)
                .hasMessage("task 't' has a command with a line '}' that a DAGMan file cannot represent; "
                        + "put the script into its own file");
    }

    private static Workflow roundTrip(Workflow workflow) throws IOException {
        byte[] bytes = written(workflow).getBytes(StandardCharsets.UTF_8);
        return new DagmanReader().read(Source.of("again.dag", bytes), false);
    }

    private static String written(Workflow workflow) throws IOException {
        StringWriter text = new StringWriter();
        new DagmanWriter().write(workflow, text);
        return text.toString();
    }
}
