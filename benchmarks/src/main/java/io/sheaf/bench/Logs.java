package io.sheaf.bench;

import io.sheaf.sim.JobLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Real job logs for benchmarks, from the folder that the environment variable SHEAF_SHARED names. */
enum Logs {
    KTH("KTH-SP2-1996-2.1-cln.swf.gz", 100, Integer.MAX_VALUE),
    SDSC("SDSC-SP2-1998-4.2-cln.swf.gz", 128, Integer.MAX_VALUE),
    RICC_FIRST_60000("RICC-2010-2.swf.gz", 8192, 60_000),
    RICC("RICC-2010-2.swf.gz", 8192, Integer.MAX_VALUE);

    private final String file;
    final int nodes;
    private final int maxJobs;

    Logs(String file, int nodes, int maxJobs) {
        this.file = file;
        this.nodes = nodes;
        this.maxJobs = maxJobs;
    }

    /** The jobs that ran, with their requested walltimes, at least the run time. */
    JobLog read() {
        Path shared = Measure.shared();
        JobLog.Builder log = JobLog.builder();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(
                        Files.newInputStream(shared.resolve("data/workloads").resolve(file)), 1 << 16),
                StandardCharsets.US_ASCII))) {
            in.lines().filter(line -> !line.startsWith(";") && !line.isBlank()).forEach(line -> add(log, line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return log.build();
    }

    private void add(JobLog.Builder log, String line) {
        String[] field = line.trim().split("\\s+");
        long run = Long.parseLong(field[3]);
        int requestedNodes = Integer.parseInt(field[7]);
        int count = requestedNodes > 0 ? requestedNodes : Integer.parseInt(field[4]);
        if (run > 0 && count > 0 && count <= nodes && log.size() < maxJobs) {
            long request = Math.max(run, Long.parseLong(field[8]));
            int user = Math.max(0, Integer.parseInt(field[11]));
            long submit = Long.parseLong(field[1]);
            log.add(Integer.parseInt(field[0]), 1000 * submit, 1000 * run, 1000 * request, count, user);
        }
    }
}
