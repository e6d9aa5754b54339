package io.sheaf.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.batch.Policy;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AdviceTest {
    private static final Path EXAMPLE = Path.of("../examples/embedding/WhatToSubmit.java");

    /** Two independent tasks of an hour, then one of half an hour. */
    private static Workflow fork() {
        WorkflowBuilder builder = new WorkflowBuilder("fork");
        for (String id : List.of("left", "right", "join")) {
            builder.time(
                    builder.task(id),
                    Duration.ofMinutes(id.equals("join") ? 30 : 60).toMillis() * 1000);
        }
        return builder.edge(0, 2).edge(1, 2).build();
    }

    @Test
    void aJobThatDoesNotFitTheGapWaitsForTheQueuedJob() {
        // Two of four nodes are free for an hour; the job requests 99 minutes and waits until all nodes are free.
        ObservedQueue queue = new ObservedQueue(Policy.conservative(), 4)
                .running(2, Duration.ofHours(1))
                .waiting(4, Duration.ofHours(2));

        Advice advice = Advice.of(fork(), queue, 1, "onejob", 4);

        assertThat(advice.jobs())
                .containsExactly(new Advice.Job(
                        2, Duration.ofMinutes(99), List.of("left", "right", "join"), Duration.ofHours(3)));
        assertThat(advice.options()).isNotEmpty();
        assertThat(advice.reason()).isNotEmpty();
    }

    /** On idle nodes, the job for tasks of unknown run times must be long enough for most of them. */
    @Test
    void unknownRunTimesRequestALongWalltime() {
        for (String strategy : List.of("auto", "onejob")) {
            Advice advice = Advice.of(fork().untimed(), new ObservedQueue(Policy.conservative(), 4), 1, strategy, 4);
            assertThat(advice.jobs()).as(strategy).isNotEmpty();
            assertThat(advice.jobs().get(0).walltime()).as(strategy).isGreaterThan(Duration.ofMinutes(15));
        }
    }

    @Test
    void oneJobPerTaskFillsTheGapAndQueuesTheRest() {
        ObservedQueue queue = new ObservedQueue(Policy.conservative(), 4)
                .running(3, Duration.ofMinutes(70))
                .waiting(4, Duration.ofHours(2));

        Advice advice = Advice.of(fork(), queue, 1, "onejobpertask", 4);

        assertThat(advice.jobs())
                .containsExactly(
                        new Advice.Job(1, Duration.ofMinutes(66), List.of("left"), Duration.ZERO),
                        new Advice.Job(1, Duration.ofMinutes(66), List.of("right"), Duration.ofMinutes(190)));
    }

    @Test
    void aWaitingJobThatFitsIsTreatedAsRunning() {
        ObservedQueue queue = new ObservedQueue(Policy.easy(), 2).waiting(2, Duration.ofHours(5));

        assertThat(Advice.of(fork(), queue, 1, "onejob", 4).jobs())
                .extracting(Advice.Job::startsIn)
                .containsExactly(Duration.ofHours(5));
    }

    @Test
    void everyStrategyGivesTheSameAdviceTwice() {
        ObservedQueue queue = new ObservedQueue(Policy.conservative(), 8)
                .running(7, Duration.ofHours(2))
                .waiting(8, Duration.ofHours(1));

        for (String strategy : Strategies.NAMES) {
            Advice advice = Advice.of(fork(), queue, 1, strategy, 4);
            assertThat(advice.jobs()).as(strategy).isNotEmpty();
            assertThat(Advice.of(fork(), queue, 1, strategy, 4)).as(strategy).isEqualTo(advice);
        }
    }

    @Test
    void impossibleQueuesAndUnknownStrategiesAreRefused() {
        ObservedQueue queue = new ObservedQueue(Policy.easy(), 4).running(3, Duration.ofHours(1));

        assertThatThrownBy(() -> queue.running(2, Duration.ofHours(1)))
                .hasMessage("a job on 2 nodes cannot run where 3 of 4 are busy");
        assertThatThrownBy(() -> queue.waiting(5, Duration.ofHours(1)))
                .hasMessage("a job of 5 nodes cannot wait on a cluster of 4 under this policy");
        assertThatThrownBy(() -> Advice.of(fork(), queue, 1, "gloom", 4))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("unknown strategy 'gloom'");
    }

    @Test
    void theExamplePrintsTheOutputShownInTheDocs() throws IOException, InterruptedException {
        String classes = Path.of(URI.create(Advice.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        Process example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes,
                        EXAMPLE.toString())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(example.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(example.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(output).contains("glume\n");
            assertThat(Files.readString(Path.of("../docs/how-to/embed-sheaf.md")))
                    .contains("examples/embedding/WhatToSubmit.java\n" + output + "```");
        } finally {
            example.destroyForcibly();
        }
    }
}
