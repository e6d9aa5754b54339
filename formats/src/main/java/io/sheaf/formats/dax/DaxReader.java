package io.sheaf.formats.dax;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * Reads Pegasus DAX 2.x (simulators and workflow generators write it, with run times) and 3.x (Pegasus 3 and 4).
 *
 * <p>Edges come from {@code child} and {@code parent} alone unless the user asks for more: in many files several tasks write a file of
 * the same name (all of SIPHT's sub-workflows do), so that edges by files would be wrong.
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
