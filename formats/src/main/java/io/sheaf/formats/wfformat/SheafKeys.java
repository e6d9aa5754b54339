package io.sheaf.formats.wfformat;

/**
 * The keys of Sheaf's own object in a file, for properties without a standard key.
 *
 * <p>The schema allows further properties everywhere, and other programs ignore them. The object appears in tasks, in files and in the
 * specification itself.
 */
final class SheafKeys {
    static final String KEY = "sheaf";

    // in a task
    static final String ID = "id";
    static final String CATEGORY = "category";
    static final String LIMIT = "limitInSeconds";
    static final String SHARE = "coreShare";
    static final String GPUS = "gpus";
    static final String RESOURCES = "resources";
    static final String NODES = "nodes";
    static final String RETRIES = "retries";
    static final String RETRY = "retry";
    static final String ARGV = "argv";
    static final String ENVIRONMENT = "environment";
    static final String SCALING = "scaling";

    // in a file, in the specification, in a category
    static final String NAME = "name";

    // in the specification
    static final String CATEGORIES = "categories";
    static final String FILES = "files";

    // in a category
    static final String SETUP = "setup";
    static final String CONTAINER = "container";

    private SheafKeys() {}
}
