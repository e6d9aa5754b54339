/** Provenance of a run as a Workflow Run RO-Crate. */
@NullMarked
package io.sheaf.app.crate;

import org.jspecify.annotations.NullMarked;
