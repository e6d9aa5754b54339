/** Reads workflows written for Makeflow, in its classic language, which resembles make. */
@NullMarked
package io.sheaf.formats.makeflow;

import org.jspecify.annotations.NullMarked;
