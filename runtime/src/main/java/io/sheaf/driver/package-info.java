/** Batch systems that are driven by commands: pilot jobs as their jobs, whatever the commands are called. A package beside this one for each. */
@NullMarked
package io.sheaf.driver;

import org.jspecify.annotations.NullMarked;
