/** Workflow files: inspect, convert, generate and import. */
@NullMarked
package io.sheaf.app.workflow;

import org.jspecify.annotations.NullMarked;
