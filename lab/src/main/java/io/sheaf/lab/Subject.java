package io.sheaf.lab;

import io.sheaf.workflow.Workflow;

/**
 * A workflow that is experimented on.
 *
 * @param group what it is counted with, as the file says; may be empty
 * @param isGenerated whether it was made here and not read from a file
 */
record Subject(String name, String group, boolean isGenerated, Workflow workflow) {}
