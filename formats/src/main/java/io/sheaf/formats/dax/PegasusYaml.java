package io.sheaf.formats.dax;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * Reads the YAML of Pegasus 5 ({@code pegasus: "5.0"}), the successor of DAX.
 *
 * <p>By default edges come from {@code jobDependencies} only; Pegasus's own library writes edges that follow from files there.
 */
public final class PegasusYaml implements WorkflowReader {
    @Override
    public String name() {
        return "pegasus";
    }

    @Override
    public String title() {
        return "Pegasus 5 (YAML)";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".yml", ".yaml");
    }

    @Override
    public boolean fileEdgesByDefault() {
        return false;
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().anyMatch(line -> line.startsWith("pegasus:") || line.startsWith("x-pegasus:"));
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return new PegasusDocument(source.stem(), fileEdges).read(source);
    }
}
