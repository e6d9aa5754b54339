/** The page about a run of a workflow: what waited, ran and idled, and why. */
@NullMarked
package io.sheaf.app.run;

import org.jspecify.annotations.NullMarked;
