package io.sheaf.lab;

import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The manifest of a table of runs: version, command, hashes of the inputs, machine and times. The table itself holds nothing that differs between two runs of the experiment. */
public final class Manifest {
    static final String FILE = "manifest.json";
    private static final JsonFactory JSON = new JsonFactory();

    private Manifest() {}

    /**
     * The times and failures of a campaign.
     *
     * @param writingShare the share of processor time spent on writing
     * @param failed the number of failed runs
     */
    record Summary(Instant started, Instant ended, double writingShare, long failed) {}

    /** The number of failed runs of a complete folder. */
    static long failed(Path folder) {
        return Long.parseLong(read(folder).getOrDefault("failed", "0"));
    }

    /** The fraction as text with fixed decimals; texts compare like fractions. */
    static String fraction(ExperimentPlan plan) {
        return DecimalText.fixed(plan.selection().fraction(), 6);
    }

    static void write(Path folder, ExperimentPlan plan, String version, String command, Summary summary)
            throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            ComparisonSpec comparison = plan.experiment().comparison();
            json.writeStringProperty("title", comparison.title());
            plan.experiment().manifestEntries().forEach(json::writeStringProperty);
            json.writeStringProperty("baseline", comparison.baseline());
            comparison.reported().byName().forEach(json::writeStringProperty);
            json.writeStringProperty("fingerprint", plan.fingerprint(version));
            json.writeStringProperty("version", version);
            json.writeStringProperty("command", command);
            json.writeStringProperty("experiment", plan.file().toAbsolutePath().toString());
            json.writeStringProperty(
                    "data",
                    plan.inputs().dataFolders().stream()
                            .map(folderOfData -> folderOfData.toAbsolutePath().toString())
                            .collect(Collectors.joining(File.pathSeparator)));
            json.writeBooleanProperty("quick", plan.selection().quick());
            json.writeStringProperty("fraction", fraction(plan));
            json.writeNumberProperty("shard", plan.selection().shard());
            json.writeNumberProperty("shards", plan.selection().shards());
            json.writeNumberProperty("runs", plan.runs());
            json.writeNumberProperty("failed", summary.failed());
            json.writeNumberProperty("runsOfAllShards", plan.allRuns());
            writeSurroundings(json, plan.inputs());
            json.writeStringProperty(
                    "started", summary.started().truncatedTo(ChronoUnit.SECONDS).toString());
            json.writeStringProperty(
                    "ended", summary.ended().truncatedTo(ChronoUnit.SECONDS).toString());
            json.writeStringProperty(
                    "seconds",
                    DecimalText.fixed(
                            Duration.between(summary.started(), summary.ended()).toMillis() / 1000.0, 3));
            json.writeStringProperty("shareOfTimeWriting", DecimalText.fixed(summary.writingShare(), 6));
            json.writeEndObject();
        }
        replace(folder, text + "\n");
    }

    private static void writeSurroundings(JsonGenerator json, Inputs inputs) {
        json.writeName("inputs");
        json.writeStartObject();
        inputs.hashes().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeName("machine");
        json.writeStartObject();
        for (String property : new String[] {"os.name", "os.arch", "java.version", "java.vm.name"}) {
            json.writeStringProperty(property, System.getProperty(property, ""));
        }
        json.writeNumberProperty("processors", Runtime.getRuntime().availableProcessors());
        json.writeEndObject();
    }

    /** Writes the manifest of all shards from that of one shard. */
    static void writeMerged(Path shard, Path folder, long runs, long failed) throws IOException {
        String one = Files.readString(shard.resolve(FILE));
        replace(
                folder,
                one.replaceFirst(
                        "\"shard\":\\d+,\"shards\":\\d+,\"runs\":\\d+,\"failed\":\\d+",
                        "\"shard\":1,\"shards\":1,\"runs\":" + runs + ",\"failed\":" + failed));
    }

    private static void replace(Path folder, String text) throws IOException {
        Path made = folder.resolve(FILE + ".part");
        Files.writeString(made, text);
        Files.move(made, folder.resolve(FILE), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The scalar values of a manifest, by name. */
    public static Map<String, String> read(Path folder) {
        Path file = folder.resolve(FILE);
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), Files.readString(file))) {
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 1 && token.isScalarValue()) {
                    values.put(json.currentName(), json.getString());
                }
            }
            return values;
        } catch (IOException e) {
            throw new InputException("cannot be read; is this the folder of 'sheaf lab run'?").in(file.toString());
        } catch (JacksonException e) {
            throw new InputException("is damaged; run 'sheaf lab run' again").in(file.toString());
        }
    }
}
