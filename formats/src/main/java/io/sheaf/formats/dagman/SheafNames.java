package io.sheaf.formats.dagman;

/** Attributes for what HTCondor has no command for, in lower case: of the whole DAG, and of a node's job. */
final class SheafNames {
    static final String WORKFLOW = "sheafworkflow";
    /** Followed by a number. */
    static final String CATEGORY_DESCRIPTION = "sheafcategory";

    static final String PRIORITIES = "sheafpriorities";
    /** Marks PRIORITY commands as ranks computed by Sheaf. */
    static final String RANKS = "ranks";

    static final String ID = "my.sheafid";
    static final String CATEGORY = "my.sheafcategory";
    static final String TIME = "my.sheaftime";
    static final String LIMIT = "my.sheaflimit";
    static final String CORES = "my.sheafcores";
    static final String MEMORY = "my.sheafmemory";
    static final String NODES = "my.sheafnodes";
    static final String PRIORITY = "my.sheafpriority";
    static final String SCALING = "my.sheafscaling";
    static final String INPUTS = "my.sheafinputs";
    static final String OUTPUTS = "my.sheafoutputs";
    /** The program is looked up in PATH; the executable is only {@code env}. */
    static final String ON_PATH = "my.sheafonpath";
    /** The task has no command; the executable is a stand-in. */
    static final String SHAPE_ONLY = "my.sheafshapeonly";

    private SheafNames() {}
}
