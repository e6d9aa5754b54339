package io.sheaf.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a group of tasks has in common: the transformation they run and how its environment is prepared. */
public record Category(
        String name, List<String> setup, @Nullable String container) {
    public Category {
        setup = List.copyOf(setup);
    }

    public static Category named(String name) {
        return new Category(name, List.of(), null);
    }
}
