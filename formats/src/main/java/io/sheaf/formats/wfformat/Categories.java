package io.sheaf.formats.wfformat;

import java.util.regex.Pattern;

/**
 * Determines the category of a task, that is, its transformation, for which version 1.5 has no key.
 *
 * <p>The first of these that the file has:
 * <ol>
 *   <li>the category (versions 1.1 to 1.4, and Sheaf's extra object);
 *   <li>the name, if it differs from the id (Nextflow: name FASTQC, id FASTQC_2);
 *   <li>the program's base name, if the id starts with it (Pegasus: mProject_ID0000001 runs mProject);
 *   <li>the id without its number ({@code _ID0000001}, {@code -12}, {@code .7});
 *   <li>the program's base name.
 * </ol>
 * Otherwise the category has an empty name.
 */
final class Categories {
    private static final Pattern NUMBER = Pattern.compile("(?:[-_.#]|^)(?:ID)?[0-9]++\\z");

    private Categories() {}

    /** The category of a task without an explicit one; the id is the task's id in the workflow. */
    static String derive(String id, String name, Performance performance) {
        if (!name.isEmpty() && !name.equals(id)) {
            return name;
        }
        String program = baseName(performance);
        if (!program.isEmpty() && startsWithWord(id, program)) {
            return program;
        }
        String stem = NUMBER.matcher(id).replaceFirst("");
        return stem.isEmpty() ? program : stem;
    }

    private static boolean startsWithWord(String id, String word) {
        return id.startsWith(word)
                && (id.length() == word.length() || !Character.isLetterOrDigit(id.charAt(word.length())));
    }

    private static String baseName(Performance performance) {
        String program = performance.program;
        if (program == null || program.equals("-") || program.chars().anyMatch(Character::isWhitespace)) {
            return "";
        }
        return program.substring(program.lastIndexOf('/') + 1);
    }
}
