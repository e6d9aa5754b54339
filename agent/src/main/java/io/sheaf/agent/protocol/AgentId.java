package io.sheaf.agent.protocol;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The id of an agent: the pilot job's token, and the node's number within the pilot job, from 0. */
public record AgentId(long token, int node) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,9})");

    /** The id in a folder's name such as {@code 17.0}, or null if it is none. */
    public static @Nullable AgentId parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new AgentId(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                : null;
    }

    // Written out: what Java would generate for a record at run time cannot be archived and delays the start of agents.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AgentId that && token == that.token && node == that.node;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(token) + node;
    }

    @Override
    public String toString() {
        return token + "." + node;
    }
}
