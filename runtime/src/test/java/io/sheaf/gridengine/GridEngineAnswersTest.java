package io.sheaf.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver parses recorded output of Grid Engine 8.1.9, so that no Grid Engine is needed. */
class GridEngineAnswersTest {
    private static final String QUEUE = """
            <?xml version='1.0'?>
            <job_info  xmlns:xsd="http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/qstat.xsd">
              <queue_info>
                <job_list state="running">
                  <JB_job_number>3</JB_job_number>
                  <JAT_prio>0.25000</JAT_prio>
                  <JB_name>sheaf-00ff.1</JB_name>
                  <JB_owner>root</JB_owner>
                  <state>r</state>
                  <JAT_start_time>2026-11-15T18:02:20</JAT_start_time>
                  <queue_name>all.q@localhost</queue_name>
                  <slots>3</slots>
                </job_list>
              </queue_info>
              <job_info>
            %s
              </job_info>
            </job_info>
            """;

    @TempDir
    Path folder = Path.of("");

    private static String pending(int number, String name, String state) {
        return "<job_list state=\"pending\"><JB_job_number>" + number + "</JB_job_number><JB_name>" + name
                + "</JB_name><state>" + state + "</state><slots>1</slots></job_list>";
    }

    /** Writes scripts in place of the commands of Grid Engine. */
    private void writeCommands(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> each : scripts.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.writeString(file, "#!/bin/sh\n" + each.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private GridEngineCommands commands(Map<String, String> scripts) throws IOException {
        writeCommands(scripts);
        return new GridEngineCommands(
                System.getenv(), GridEngineCommands.runner(folder, Reach.here(System.getenv()), 10_000), "user");
    }

    private PilotJobScript run() throws IOException {
        RunFolder run = new RunFolder(folder.resolve("run"));
        return new PilotJobScript(
                Launch.from(folder.resolve("kit")),
                run,
                "00ff",
                1,
                run.path().resolve("gridengine"),
                List.of("-l", "mem_free=1G"),
                "",
                Pools.NONE,
                null);
    }

    private static String prints(String text) {
        return "cat <<'END'\n" + text + "\nEND";
    }

    @Test
    void qstatOutputIsParsed() throws Exception {
        GridEngineCommands commands = commands(Map.of(
                "qstat",
                "case \"$*\" in *-s\\ hu) "
                        + prints(QUEUE.replaceAll("(?s)<queue_info>.*</queue_info>", "")
                                .formatted(pending(6, "sheaf-00ff.4", "hqw")))
                        + "\n;; *-s\\ ho) " + prints("<job_info/>") + "\n;; *) "
                        + prints(QUEUE.formatted(pending(4, "x", "qw")
                                + pending(5, "y", "hqw")
                                + pending(6, "z", "hqw")
                                + pending(7, "e", "Eqw")))
                        + "\n;; esac"));
        long start = LocalDateTime.parse("2026-11-15T18:02:20")
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();
        assertThat(commands.parse(commands.query()))
                .containsExactly(
                        new QueueLine(3, JobState.RUNNING, start, Outlook.STARTS, "r"),
                        new QueueLine(4, JobState.PENDING, -1, Outlook.STARTS, "qw"),
                        // It waits for another job.
                        new QueueLine(5, JobState.PENDING, -1, Outlook.STARTS, "hqw"),
                        new QueueLine(6, JobState.PENDING, -1, Outlook.HELD, "hqw"),
                        new QueueLine(
                                7, JobState.PENDING, -1, Outlook.NEVER, "its start failed (Eqw), see qstat -j 7"));
        assertThatThrownBy(() -> commands.parse("error: commlib")).isInstanceOf(InputException.class);
    }

    @Test
    void stateLettersMapToJobStates() {
        assertThat(List.of("t", "r", "Rr", "dr", "dt", "qw", "Rq", "s", "hRwq").stream()
                        .map(GridEngineAnswers::state))
                .containsExactly(
                        JobState.STARTING,
                        JobState.RUNNING,
                        JobState.RUNNING,
                        JobState.ENDING,
                        JobState.ENDING,
                        JobState.PENDING,
                        JobState.PENDING,
                        JobState.RUNNING,
                        JobState.PENDING);
    }

    private BatchCommands.Submitted submit(String qsub) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "");
        return commands(Map.of("qsub", qsub)).submit(run(), script, 1, Request.of(1, 60_000), 0, -1);
    }

    @Test
    void submissionsReturnNumbersOrRefusals() throws Exception {
        assertThat(submit("echo 17")).isEqualTo(BatchCommands.Submitted.as(17));
        assertThat(submit("echo 'welcome'")).isEqualTo(BatchCommands.Submitted.as(BatchCommands.UNKNOWN));
        assertThat(submit("echo 'Unable to run job: job rejected: the requested parallel environment \"nosuch\" does"
                        + " not exist' >&2; echo Exiting. >&2; exit 1"))
                .isEqualTo(BatchCommands.Submitted.refused(
                        "job rejected: the requested parallel environment \"nosuch\" does not exist", false));
        assertThat(submit("echo 'Unable to run job: job rejected: Only 1 jobs are allowed per user (current job count:"
                                + " 1)' >&2; exit 1")
                        .later())
                .isTrue();
        assertThatThrownBy(
                        () -> submit("echo 'error: commlib error: got select error (Connection refused)' >&2; exit 1"))
                .isInstanceOf(UnreachableException.class);
    }

    @Test
    void aJobIsFoundByItsName() throws Exception {
        GridEngineCommands commands =
                commands(Map.of("qstat", prints(QUEUE.formatted(pending(4, "sheaf-montage-p2.00ff", "qw")))));
        assertThat(commands.find("sheaf-00ff.1")).containsExactly(new BatchCommands.NamedJob(3, JobState.RUNNING));
        assertThat(commands.find("sheaf-00ff.2"))
                .extracting(BatchCommands.NamedJob::job)
                .containsExactly(4L);
        assertThat(BatchCommands.token("00ff", "sheaf-montage-p2.00ff")).isEqualTo(2);
    }

    @Test
    void jobsOutsideTheQueueGetTheirStateFromAccounting() throws Exception {
        String qstat = prints(QUEUE.formatted(""));
        for (Map.Entry<String, JobState> each : Map.of(
                        "failed       37  : qmaster enforced h_rt, h_cpu, or h_vmem limit\nexit_status  137",
                        JobState.EXPIRED,
                        "failed       100 : assumedly after job\nexit_status  137                  (Killed)",
                        JobState.CANCELLED,
                        "failed       0\nexit_status  1",
                        JobState.ENDED)
                .entrySet()) {
            assertThat(commands(Map.of("qstat", qstat, "qacct", prints(each.getKey())))
                            .state(9, () -> false))
                    .isEqualTo(each.getValue());
        }
        assertThat(commands(Map.of("qstat", qstat)).state(3, () -> true)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aJobMissingInAccountingIsEndingOnlyIfItRan() throws Exception {
        GridEngineCommands commands = commands(
                Map.of("qstat", prints(QUEUE.formatted("")), "qacct", "echo 'error: job id 9 not found' >&2; exit 1"));
        assertThat(commands.state(9, () -> false)).isEqualTo(JobState.CANCELLED);
        assertThat(commands.state(9, () -> true)).isEqualTo(JobState.ENDING);
    }

    /** {@code qalter} replaces the whole list of requested resources. */
    @Test
    void aShorterLimitKeepsOtherRequestedResources() throws Exception {
        GridEngineCommands commands = commands(Map.of(
                "qstat",
                prints("job_number: 12\nhard resource_list:         h_rt=3600,mem_free=1G"),
                "qalter",
                "echo \"$*\" > \"$0.arguments\""));
        assertThat(commands.limit(run(), 12, 90_500)).isTrue();
        assertThat(folder.resolve("qalter.arguments")).content().isEqualTo("-l h_rt=91,mem_free=1G 12\n");
    }
}
