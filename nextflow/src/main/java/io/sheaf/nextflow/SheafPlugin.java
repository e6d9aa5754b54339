package io.sheaf.nextflow;

import nextflow.plugin.BasePlugin;
import org.pf4j.PluginWrapper;

/** The entry point of the plug-in; Nextflow finds the executor by {@code META-INF/extensions.idx}. */
public final class SheafPlugin extends BasePlugin {
    public SheafPlugin(PluginWrapper wrapper) {
        super(wrapper);
    }
}
