package io.sheaf.formats.dagman;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * Reads HTCondor DAGMan files with the submit files that they refer to.
 *
 * <p>A node becomes a task; its submit description and its PRE and POST scripts become the task's command. Paths in it are relative to
 * the folder of the DAG file, as they are for DAGMan when the file is submitted from there.
 */
public final class DagmanReader implements WorkflowReader {
    @Override
    public String name() {
        return "dagman";
    }

    @Override
    public String title() {
        return "HTCondor DAGMan with submit files";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".dag");
    }

    @Override
    public boolean fileEdgesByDefault() {
        return false;
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().anyMatch(line -> line.stripLeading().regionMatches(true, 0, "JOB ", 0, 4));
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> {
            DagFile file = new DagFile(source.name());
            file.read(new Lines(in));
            if (file.saysNothing()) {
                throw new InputException(
                        "the file contains no node; write a line for each: JOB name file.sub", Place.of(1, 1));
            }
            return new DagWorkflow(file, source).build(fileEdges);
        });
    }
}
