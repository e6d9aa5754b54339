package io.sheaf.lab;

import io.sheaf.text.InputException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Merges the tables of the shards of an experiment; the result is byte-identical to the table of one run without shards. */
public final class ShardMerge {
    private ShardMerge() {}

    /** Merges complete shards of one experiment into a folder; returns the number of runs. */
    public static long into(Path folder, List<Path> shards) {
        check(shards);
        try {
            Files.createDirectories(folder);
            Path made = folder.resolve(Lab.TABLE + ".part");
            long runs = merge(shards, made);
            Files.move(
                    made,
                    folder.resolve(Lab.TABLE),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
            long failed = shards.stream().mapToLong(Manifest::failed).sum();
            Manifest.writeMerged(shards.get(0), folder, runs, failed);
            return runs;
        } catch (IOException e) {
            throw new InputException("cannot be written: " + e.getMessage()).in(folder.toString());
        }
    }

    private static void check(List<Path> shards) {
        TreeSet<Integer> missing = new TreeSet<>();
        String fingerprint = "";
        String fraction = "";
        for (Path shard : shards) {
            Map<String, String> manifest = Manifest.read(shard);
            if (fingerprint.isEmpty()) {
                fingerprint = manifest.getOrDefault("fingerprint", "");
                fraction = manifest.getOrDefault("fraction", "");
                for (int i = 1; i <= Integer.parseInt(manifest.getOrDefault("shards", "1")); i++) {
                    missing.add(i);
                }
            } else if (!fingerprint.equals(manifest.get("fingerprint"))) {
                throw new InputException("is of another experiment, or version, than the first one")
                        .in(shard.toString());
            } else if (!fraction.equals(manifest.get("fraction"))) {
                throw new InputException("has another --fraction than the first one").in(shard.toString());
            }
            if (!missing.remove(Integer.valueOf(manifest.getOrDefault("shard", "1")))) {
                throw new InputException("shard " + manifest.get("shard") + " is named twice; name each once")
                        .in(shard.toString());
            }
        }
        if (!missing.isEmpty()) {
            throw new InputException("not all shards are named; missing: " + missing);
        }
    }

    /** The next row of a shard. */
    private static final class Head implements AutoCloseable {
        private final BufferedReader lines;
        private final String header;
        private @Nullable String row;
        private long run;

        Head(Path shard) throws IOException {
            Path file = shard.resolve(Lab.TABLE);
            if (!Files.exists(file)) {
                throw new InputException("does not exist; finish this shard with 'sheaf lab run'").in(file.toString());
            }
            lines = Files.newBufferedReader(file);
            header = String.valueOf(lines.readLine());
            advance();
        }

        void advance() throws IOException {
            row = lines.readLine();
            run = row == null ? Long.MAX_VALUE : Long.parseLong(row.substring(0, row.indexOf(',')));
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private static long merge(List<Path> shards, Path made) throws IOException {
        List<Head> opened = new ArrayList<>();
        PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparingLong(head -> head.run));
        long runs = 0;
        long latest = 0;
        try (BufferedWriter out = Files.newBufferedWriter(made)) {
            for (Path shard : shards) {
                opened.add(new Head(shard));
            }
            heads.addAll(opened);
            out.write(opened.get(0).header + "\n");
            for (Head head = heads.poll(); head != null && head.row != null; head = heads.poll()) {
                out.write(head.row);
                out.write('\n');
                runs += head.run == latest ? 0 : 1;
                latest = head.run;
                head.advance();
                heads.add(head);
            }
        } finally {
            for (Head head : opened) {
                head.close();
            }
        }
        return runs;
    }
}
