package io.sheaf.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Slurm cluster on which contenders run one after the other, each with the same background jobs. */
final class SlurmContest {
    private static final long TIMEOUT_MINUTES = 10;
    private static final Pattern JOB = Pattern.compile("JobId=(\\d+)");
    private static final Pattern SPAN =
            Pattern.compile("JobName=(\\S+) .*StartTime=(\\d+) EndTime=(\\d+) .*NumNodes=(\\d+)");

    private final Path folder;
    private final int nodes;

    SlurmContest(Path folder, int nodes) {
        this.folder = folder;
        this.nodes = nodes;
    }

    /** The makespan of a contender and the node-seconds of its jobs. */
    record ContestResult(double seconds, long nodeSeconds, int jobs, int status) {}

    /** Runs a command in its own folder, with or without background jobs. */
    ContestResult run(Path in, boolean withBackground, List<String> words) throws IOException, InterruptedException {
        clear();
        long before = lastJob();
        Thread background = new Thread(this::submitOthers, "others");
        if (withBackground) {
            background.start();
            // The queue exists before the contender starts.
            Thread.sleep(3_000);
        }
        long from = System.nanoTime();
        int status = start(in, words);
        double seconds = (System.nanoTime() - from) / 1e9;
        background.interrupt();
        background.join();
        return held(before, seconds, status);
    }

    /** Three large jobs at once and a smaller one every six seconds, always the same: four fifths of the nodes on average. Each requests a minute, 3.5 times its mean run time. */
    private void submitOthers() {
        Random random = new Random(3);
        try {
            other(nodes / 2, 25);
            other(nodes / 2, 35);
            other(nodes * 3 / 4, 20);
            while (true) {
                other(1 + random.nextInt(nodes / 2), 8 + random.nextInt(20));
                Thread.sleep(6_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void other(int nodes, int seconds) throws IOException, InterruptedException {
        int minutes = seconds / 60 + 1;
        command("sbatch", "-J", "other", "-o", "/dev/null", "-N" + nodes, "-t" + minutes, "--wrap=sleep " + seconds);
    }

    /** Starts a command and waits for its end. */
    int start(Path in, List<String> words) throws IOException, InterruptedException {
        Files.createDirectories(in);
        Process process = new ProcessBuilder(words)
                .directory(in.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.appendTo(in.resolve("out").toFile()))
                .redirectError(Redirect.appendTo(in.resolve("err").toFile()))
                .start();
        if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    static boolean isThere(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /** The output of a command. */
    String command(String... words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "said", "");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("SLURM_TIME_FORMAT", "%s");
        Process process = builder.start();
        process.waitFor(1, TimeUnit.MINUTES);
        String text = Files.readString(out).strip();
        Files.delete(out);
        return text;
    }

    void clear() throws IOException, InterruptedException {
        for (int i = 0; i < 600 && !command("squeue", "-h", "-o", "%i").isEmpty(); i++) {
            if (i % 50 == 0) {
                List<String> words = new ArrayList<>(List.of("scancel"));
                words.addAll(List.of(command("squeue", "-h", "-o", "%A").split("\\s+")));
                command(words.toArray(String[]::new));
            }
            Thread.sleep(200);
        }
    }

    private long lastJob() throws IOException, InterruptedException {
        long last = 0;
        Matcher job = JOB.matcher(command("scontrol", "-o", "show", "job"));
        while (job.find()) {
            last = Math.max(last, Long.parseLong(job.group(1)));
        }
        return last;
    }

    private ContestResult held(long before, double seconds, int status) throws IOException, InterruptedException {
        // Cancels the remaining jobs of the contender.
        clear();
        long nodeSeconds = 0;
        int jobs = 0;
        for (String line : command("scontrol", "-o", "show", "job").lines().toList()) {
            Matcher number = JOB.matcher(line);
            Matcher span = SPAN.matcher(line);
            boolean own = number.find()
                    && Long.parseLong(number.group(1)) > before
                    && span.find()
                    && !span.group(1).equals("other");
            if (own) {
                nodeSeconds +=
                        (Long.parseLong(span.group(3)) - Long.parseLong(span.group(2))) * Long.parseLong(span.group(4));
                jobs++;
            }
        }
        return new ContestResult(seconds, nodeSeconds, jobs, status);
    }
}
