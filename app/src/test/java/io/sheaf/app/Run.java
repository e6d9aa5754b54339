package io.sheaf.app;

import io.sheaf.formats.ShellWords;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/** A command run in the test's JVM, with its exit status and output. */
public record Run(int status, String out, String err) {
    /** Runs a command in a folder with only this environment. */
    static Run in(Path folder, Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new Sheaf(new PrintWriter(out), new PrintWriter(err), environment, folder).run(args);
        return new Run(status, out.toString(), err.toString());
    }

    static Run of(String... args) {
        return in(Path.of(""), Map.of("SHEAF_SITE_CONFIG", "nowhere"), args);
    }

    /** Runs a command line that is split as in a shell. */
    static Run line(String args) {
        return of(ShellWords.split(args).toArray(String[]::new));
    }

    static Run line(Path folder, Map<String, String> environment, String args) {
        return in(folder, environment, ShellWords.split(args).toArray(String[]::new));
    }
}
