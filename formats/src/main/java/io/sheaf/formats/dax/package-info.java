/** Reads and writes workflows of the Pegasus workflow system: DAX, its XML, and the YAML of Pegasus 5. */
@NullMarked
package io.sheaf.formats.dax;

import org.jspecify.annotations.NullMarked;
