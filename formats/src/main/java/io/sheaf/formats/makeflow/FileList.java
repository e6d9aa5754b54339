package io.sheaf.formats.makeflow;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a rule: those it makes, before the colon, and those it needs. */
final class FileList {
    /**
     * A file of a rule.
     *
     * @param remote its name in the command; different from its own with {@code name->remote}
     */
    record RuleFile(String name, String remote) {
        boolean isRenamed() {
            return !name.equals(remote);
        }
    }

    final List<RuleFile> targets = new ArrayList<>();
    final List<RuleFile> sources = new ArrayList<>();

    private final String text;
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private boolean behindColon;
    private boolean behindArrow;
    private @Nullable String last;

    /** Takes a text apart whose variables are replaced. */
    FileList(String text) {
        this.text = text;
        int at = 0;
        while (at < text.length()) {
            at = part(at);
        }
        endWord();
        endFile();
        if (!behindColon) {
            throw new InputException("a rule has no colon; write 'target: source'");
        }
    }

    private int part(int at) {
        char c = text.charAt(at);
        switch (c) {
            case ' ', '\t', '\n' -> endWord();
            case ':' -> colon();
            case '\\' -> {
                return escaped(at);
            }
            case '\'', '"' -> {
                return quoted(at);
            }
            default -> {
                if (text.startsWith("->", at)) {
                    arrow();
                    return at + 2;
                }
                word.append(c);
                inWord = true;
            }
        }
        return at + 1;
    }

    private int escaped(int at) {
        if (at + 1 >= text.length() || text.charAt(at + 1) == '\n') {
            endWord();
        } else {
            word.append(text.charAt(at + 1));
            inWord = true;
        }
        return at + 2;
    }

    private int quoted(int open) {
        char quote = text.charAt(open);
        inWord = true;
        int at = open + 1;
        while (at < text.length() && text.charAt(at) != quote) {
            at += text.charAt(at) == '\\' && at + 1 < text.length() ? 1 : 0;
            word.append(text.charAt(at));
            at++;
        }
        if (at >= text.length()) {
            throw new InputException("a quote " + quote + " in a rule's files is never closed; close it");
        }
        return at + 1;
    }

    private void colon() {
        endWord();
        endFile();
        if (behindColon) {
            throw new InputException("a second colon in a rule; put a file's name that has one in quotes");
        }
        behindColon = true;
    }

    private void arrow() {
        endWord();
        if (last == null || behindArrow) {
            throw new InputException("'->' separates a file's name from its name in the command: in.dat->data");
        }
        behindArrow = true;
    }

    private void endWord() {
        if (!inWord) {
            return;
        }
        String name = word.toString();
        word.setLength(0);
        inWord = false;
        if (name.isEmpty()) {
            throw new InputException("a file has an empty name; remove the quotes or fill them");
        }
        if (behindArrow && last != null) {
            add(new RuleFile(last, name));
            last = null;
            behindArrow = false;
        } else {
            endFile();
            last = name;
        }
    }

    private void endFile() {
        if (behindArrow) {
            throw new InputException("the file's name in the command is missing after '->'");
        }
        if (last != null) {
            add(new RuleFile(last, last));
            last = null;
        }
    }

    private void add(RuleFile file) {
        (behindColon ? sources : targets).add(file);
    }
}
