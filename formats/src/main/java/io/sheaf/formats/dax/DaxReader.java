package io.sheaf.formats.dax;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * Reads Pegasus DAX 2.x (simulators and workflow generators, with run times) and 3.x (Pegasus 3 and 4).
 *
 * <p>By default edges come from {@code child} and {@code parent} only: in many files several tasks write a file of the same name (all of
 * SIPHT's sub-workflows do), and edges from files would be wrong.
 */
public final class DaxReader implements WorkflowReader {
    @Override
    public String name() {
        return "dax";
    }

    @Override
    public String title() {
        return "Pegasus DAX 2.1 and 3.x (XML)";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".dax", ".xml");
    }

    @Override
    public boolean fileEdgesByDefault() {
        return false;
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("<");
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> new DaxDocument(new XmlCursor(in), source.stem()).read(fileEdges));
    }
}
