package io.sheaf.app.cli;

import io.sheaf.app.config.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Provides the configured value of an option that is not on the command line; options and settings share names. */
public record ConfiguredDefaults(Configuration configuration) implements IDefaultValueProvider {
    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (argument instanceof OptionSpec option && option.longestName().startsWith("--")) {
            return configuration.find(option.longestName().substring(2));
        }
        return null;
    }
}
