package io.sheaf.runtime.rerun;

import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cache of the current state of files, each read once. */
final class FileMarks {
    private final Path folder;
    private final FileCheck check;
    private final Map<String, @Nullable FileMark> marks = new HashMap<>();

    FileMarks(Path folder, FileCheck check) {
        this.folder = folder;
        this.check = check;
    }

    /** The current state of a file; null if it does not exist. */
    @Nullable
    FileMark of(String name) {
        if (!marks.containsKey(name)) {
            marks.put(name, FileMark.of(folder.resolve(name), check));
        }
        return marks.get(name);
    }

    /** The current state of all files that tasks of a workflow read and none writes. */
    Map<String, FileMark> unwritten(Workflow workflow) {
        Set<String> written = new HashSet<>();
        for (int task = 0; task < workflow.size(); task++) {
            written.addAll(workflow.outputNames(task));
        }
        Map<String, FileMark> found = new LinkedHashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            for (String name : workflow.inputNames(task)) {
                FileMark mark = written.contains(name) ? null : of(name);
                if (mark != null) {
                    found.put(name, mark);
                }
            }
        }
        return found;
    }
}
