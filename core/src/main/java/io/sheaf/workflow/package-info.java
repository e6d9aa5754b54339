/** The workflow model: a DAG of tasks, what is known of each, and what follows from its shape. */
@NullMarked
package io.sheaf.workflow;

import org.jspecify.annotations.NullMarked;
