package io.sheaf.formats.makeflow;

import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The command of a rule: a shell script.
 *
 * <p>Where files have other names in the command, it runs in a folder of its own into which what it needs is linked and out of which what
 * it made is moved: two rules may call different files by one name.
 */
final class RuleCommand {
    private final String text;

    /** Removes the words that select where Makeflow runs it. */
    RuleCommand(String written) {
        String rest = written;
        while (isWord(rest, "LOCAL")) {
            rest = rest.substring("LOCAL".length()).stripLeading();
        }
        if (isWord(rest, "MAKEFLOW")) {
            throw new InputException(
                    "MAKEFLOW runs a workflow in the workflow, which Sheaf does not read; write its rules into this file");
        }
        if (rest.isEmpty()) {
            throw new InputException("LOCAL has no command; write the command after it");
        }
        text = rest;
    }

    private static boolean isWord(String text, String word) {
        return text.startsWith(word) && (text.length() == word.length() || text.charAt(word.length()) == ' ');
    }

    /** The name of the program that it begins with; empty if it begins with something else. */
    String program() {
        int end = 0;
        while (end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        boolean ends = end == text.length() || text.charAt(end) == ' ';
        return ends ? text.substring(text.lastIndexOf('/', end) + 1, end) : "";
    }

    private static boolean isPlain(char c) {
        return Character.isLetterOrDigit(c) || "_-./+".indexOf(c) >= 0;
    }

    Command with(FileList files, Map<String, String> environment) {
        boolean renamed = files.targets.stream().anyMatch(FileList.RuleFile::isRenamed)
                || files.sources.stream().anyMatch(FileList.RuleFile::isRenamed);
        return Command.script(renamed ? inOwnFolder(files) : text).with(environment);
    }

    private String inOwnFolder(FileList files) {
        StringBuilder script = new StringBuilder("here=$PWD\nbox=$(mktemp -d \"$here/.rule-XXXXXX\") || exit\n");
        script.append("trap 'rm -rf \"$box\"' EXIT\ncd \"$box\" || exit\n");
        Set<String> folders = new LinkedHashSet<>();
        files.sources.forEach(file -> addFolder(file.remote(), folders));
        files.targets.forEach(file -> addFolder(file.remote(), folders));
        for (String folder : folders) {
            script.append("mkdir -p ").append(word(folder)).append(" || exit\n");
        }
        Set<String> linked = new LinkedHashSet<>();
        for (FileList.RuleFile file : files.sources) {
            if (!file.remote().startsWith("/") && linked.add(file.remote())) {
                script.append("ln -s ").append(home(file.name()));
                script.append(' ').append(word(file.remote())).append(" || exit\n");
            }
        }
        script.append("(\n").append(text).append("\n) || exit\ncd \"$here\" || exit\n");
        for (FileList.RuleFile file : files.targets) {
            if (!file.remote().startsWith("/")) {
                script.append("mv \"$box\"/").append(ShellWords.quote(file.remote()));
                script.append(' ').append(word(file.name())).append(" || exit\n");
            }
        }
        return script.toString();
    }

    private static void addFolder(String path, Set<String> folders) {
        int slash = path.lastIndexOf('/');
        if (slash > 0 && !path.startsWith("/")) {
            folders.add(path.substring(0, slash));
        }
    }

    private static String home(String name) {
        return name.startsWith("/") ? ShellWords.quote(name) : "\"$here\"/" + ShellWords.quote(name);
    }

    /** A name that no program parses as an option. */
    private static String word(String name) {
        return ShellWords.quote(name.startsWith("-") ? "./" + name : name);
    }
}
