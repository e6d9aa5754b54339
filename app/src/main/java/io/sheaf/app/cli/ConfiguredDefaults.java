package io.sheaf.app.cli;

import io.sheaf.app.config.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives an option that was not on the command line its configured value: an option is called like its setting. */
public final class ConfiguredDefaults implements IDefaultValueProvider {
    private final Configuration configuration;

    public ConfiguredDefaults(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (argument instanceof OptionSpec option && option.longestName().startsWith("--")) {
            return configuration.find(option.longestName().substring(2));
        }
        return null;
    }
}
