package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver parses recorded and shortened output of OAR 2.5.9, so that no OAR is needed. */
class OarAnswersTest {
    private static final String RULE = "[ADMISSION RULE] Modify resource description with type constraints";

    @TempDir
    Path folder = Path.of("");

    /** Writes scripts in place of the commands of OAR. */
    private OarCommands commands(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> each : scripts.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.writeString(file, "#!/bin/sh\n" + each.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return new OarCommands(
                System.getenv(), OarCommands.runner(folder, Reach.here(System.getenv()), 10_000), "o'neill");
    }

    /** Replaces a command by one that prints a text and records its arguments in the file {@code words}. */
    private OarCommands printing(String command, String text) throws IOException {
        Path file = Files.writeString(folder.resolve("text"), text);
        return commands(Map.of(command, "printf '%s\\n' \"$@\" > " + folder + "/words; cat " + file));
    }

    @Test
    void oarstatOutputIsParsed() {
        List<QueueLine> jobs = OarAnswers.queue("""
                {
                   "4" : {
                      "scheduledStart" : 1794763374, "startTime" : 0, "state" : "Waiting", "walltime" : 120,
                      "message" : "R=3,W=0:2:0,J=B,N=sheaf-q.3 (Karma=0.000,quota_ok)", "types" : [], "events" : []
                   },
                   "5" : {
                      "scheduledStart" : null, "startTime" : 0, "state" : "Waiting",
                      "message" : "Cannot determine scheduling time due to dependency with the job 999"
                   },
                   "10" : { "scheduledStart" : null, "startTime" : "0", "state" : "Hold", "message" : "R=1" },
                   "2" : { "scheduledStart" : 1794763128, "startTime" : "1794763128", "state" : "Running", "message" : "R=3" },
                   "11" : { "startTime" : 0, "state" : "toLaunch", "message" : null }
                }
                """);
        assertThat(jobs)
                .containsExactly(
                        new QueueLine(
                                4,
                                JobState.PENDING,
                                1_794_763_374_000L,
                                Outlook.STARTS,
                                "R=3,W=0:2:0,J=B,N=sheaf-q.3 (Karma=0.000,quota_ok)"),
                        new QueueLine(
                                5,
                                JobState.PENDING,
                                -1,
                                Outlook.STARTS,
                                "Cannot determine scheduling time due to dependency with the job 999"),
                        new QueueLine(10, JobState.PENDING, -1, Outlook.HELD, "R=1"),
                        new QueueLine(2, JobState.RUNNING, 1_794_763_128_000L, Outlook.STARTS, "R=3"),
                        new QueueLine(11, JobState.STARTING, -1, Outlook.STARTS, ""));
    }

    @Test
    void emptyOutputIsAnEmptyQueue() {
        assertThat(OarAnswers.queue("\n")).isEmpty();
    }

    @Test
    void outputThatIsNotWholeJsonIsRefused() {
        assertThatThrownBy(() -> OarAnswers.queue("{ \"4\" : { \"state\" : \"Wai"))
                .isInstanceOf(InputException.class);
        assertThatThrownBy(() -> OarAnswers.queue("[OAR] a notice")).hasMessageContaining("not JSON");
    }

    @Test
    void submissionsReturnNumbersOrRefusals() throws Exception {
        assertThat(submit("echo '" + RULE + "'; echo OAR_JOB_ID=17")).isEqualTo(BatchCommands.Submitted.as(17));
        assertThat(submit("echo welcome")).isEqualTo(BatchCommands.Submitted.as(BatchCommands.UNKNOWN));
        assertThat(submit("echo OAR_JOB_ID=-5; echo 'There are not enough resources for your request' >&2; exit 8"))
                .isEqualTo(BatchCommands.Submitted.refused("There are not enough resources for your request", false));
    }

    private BatchCommands.Submitted submit(String oarsub) throws Exception {
        return commands(Map.of("oarsub", oarsub))
                .submit(
                        new PilotJobScript(
                                Launch.from(folder.resolve("kit")),
                                new RunFolder(folder.resolve("run")),
                                "00ff",
                                1,
                                folder.resolve("run/oar"),
                                List.of(),
                                "",
                                Pools.NONE,
                                null),
                        folder,
                        1,
                        Request.of(1, 60_000),
                        0,
                        -1);
    }

    @Test
    void anUnreachableServerIsNotARefusal() throws Exception {
        // The job is in the database anyway, as number 11.
        String output =
                "echo OAR_JOB_ID=11; echo '[ERROR] Cannot connect to executor localhost:6666. Job is killed.' >&2; exit 9";
        assertThatThrownBy(() -> submit(output)).isInstanceOf(UnreachableException.class);
        OarCommands commands =
                commands(Map.of("oardel", "echo 'Could not connect to the socket localhost:6666' >&2; exit 2"));
        assertThatThrownBy(() -> commands.cancel(List.of(11L))).isInstanceOf(UnreachableException.class);
    }

    @Test
    void cancellingAnEndedJobIsNoError() throws Exception {
        OarCommands commands = commands(Map.of(
                "oardel",
                "echo $* > " + folder + "/words; echo 'Cannot frag 99 ; You are not the right user.' >&2; exit 1"));
        commands.cancel(List.of(99L));
        assertThat(folder.resolve("words")).hasContent("99");
    }

    @Test
    void refusalsForJobLimitsAreRecognized() {
        assertThat(OarAnswers.isForLimits(
                        "[ADMISSION RULE] Error: you cannot have more than 2 waiting advance reservations."))
                .isFalse();
        assertThat(OarAnswers.isForLimits("[ADMISSION RULE] Error: you cannot have more than 200 waiting jobs"))
                .isTrue();
        assertThat(OarAnswers.isForLimits("[ADMISSION RULE] Too many jobs in the queue for user lea"))
                .isTrue();
        assertThat(OarAnswers.isForLimits("[ADMISSION RULE] Maximum number of jobs reached"))
                .isTrue();
        assertThat(OarAnswers.isForLimits("[ADMISSION RULE] Walltime is limited to 48 hours"))
                .isFalse();
        assertThat(OarAnswers.isForLimits("ERROR : The queue nosuch does not exist"))
                .isFalse();
    }

    @Test
    void statesOfEndedJobsFollowTheirEvents() throws Exception {
        assertThat(ended("Terminated", 1, "SWITCH_INTO_TERMINATE_STATE")).isEqualTo(JobState.ENDED);
        assertThat(ended("Terminated", 1, "FRAG_JOB_REQUEST", "SEND_KILL_JOB", "SWITCH_INTO_TERMINATE_STATE"))
                .isEqualTo(JobState.CANCELLED);
        assertThat(ended("Error", 1, "FRAG_JOB_REQUEST", "WALLTIME", "SEND_KILL_JOB", "SWITCH_INTO_ERROR_STATE"))
                .isEqualTo(JobState.EXPIRED);
        assertThat(ended("Error", 0, "FRAG_JOB_REQUEST")).isEqualTo(JobState.CANCELLED);
        assertThat(ended("Error", 0, "SWITCH_INTO_ERROR_STATE", "WORKING_DIRECTORY"))
                .isEqualTo(JobState.ENDED);
        assertThat(ended("Error", 1, "PING_CHECKER_NODE_SUSPECTED")).isEqualTo(JobState.LOST);
        assertThat(ended("Finishing", 1).isFinal()).isFalse();
        assertThat(printing("oarstat", "").state(99, () -> false)).isEqualTo(JobState.UNLISTED);
        OarCommands broken = commands(Map.of("oarstat", "echo 'DBI error' >&2; exit 1"));
        assertThatThrownBy(() -> broken.state(4, () -> false)).isInstanceOf(UnreachableException.class);
    }

    private JobState ended(String state, int started, String... events) throws Exception {
        StringBuilder eventTexts = new StringBuilder();
        for (String event : events) {
            eventTexts.append(eventTexts.isEmpty() ? "" : ",").append("{\"type\":\"" + event + "\",\"job_id\":4}");
        }
        String text =
                "{\"4\":{\"state\":\"" + state + "\",\"startTime\":" + started + ",\"events\":[" + eventTexts + "]}}";
        return printing("oarstat", text).state(4, () -> false);
    }

    @Test
    void aJobIsFoundByItsName() throws Exception {
        OarCommands commands = printing("oarstat", "{\"4\":{\"state\":\"Waiting\"},\"5\":{\"state\":\"Terminated\"}}");
        assertThat(commands.find("sheaf-00ff.1"))
                .containsExactly(
                        new BatchCommands.NamedJob(4, JobState.PENDING), new BatchCommands.NamedJob(5, JobState.ENDED));
        assertThat(folder.resolve("words"))
                .content()
                .isEqualTo(
                        "-J\n--sql\njob_user = 'o''neill' AND (job_name = 'sheaf-00ff.1' OR job_name LIKE 'sheaf-%-p1.00ff')\n");
    }

    @Test
    void availableNodesAreCountedByAddress() {
        String text = """
                {
                   "1" : { "network_address" : "a", "type" : "default", "state" : "Alive", "available_upto" : 2147483647 },
                   "2" : { "network_address" : "a", "type" : "default", "state" : "Alive", "available_upto" : 2147483647 },
                   "3" : { "network_address" : "b", "type" : "default", "state" : "Absent", "available_upto" : 2000 },
                   "4" : { "network_address" : "c", "type" : "default", "state" : "Absent", "available_upto" : 0 },
                   "5" : { "network_address" : "d", "type" : "default", "state" : "Suspected", "available_upto" : 0 },
                   "6" : { "network_address" : "e", "type" : "storage", "state" : "Alive", "available_upto" : 0 }
                }
                """;
        assertThat(OarAnswers.nodes(text, 1000)).isEqualTo(new Nodes(2, 1, 0));
        assertThat(OarAnswers.nodes(text, 3000)).isEqualTo(new Nodes(1, 2, 0));
        assertThatThrownBy(() -> OarAnswers.nodes("{}", 1000)).hasMessageContaining("no node is in service");
    }

    @Test
    void submissionTermsBecomeOarsubOptions() {
        Map<String, String> named = new LinkedHashMap<>();
        named.put("account", "p1");
        named.put("partition", "night");
        named.put("constraint", "mem > 4");
        assertThat(OarCommands.SYSTEM.words().apply(new SubmissionTerms(named, List.of("-t", "besteffort"))))
                .containsExactly("--project=p1", "--queue=night", "--property=mem > 4", "-t", "besteffort");
        assertThatThrownBy(
                        () -> OarCommands.SYSTEM.words().apply(new SubmissionTerms(Map.of("qos", "fast"), List.of())))
                .hasMessageContaining("--qos: OAR has no equivalent");
    }
}
