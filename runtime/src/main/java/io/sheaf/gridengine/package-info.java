/** Grid Engine: its commands, and placeholders as its jobs. */
@NullMarked
package io.sheaf.gridengine;

import org.jspecify.annotations.NullMarked;
