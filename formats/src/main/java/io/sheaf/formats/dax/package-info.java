/** Reads and writes workflows as Pegasus DAX, the XML of the Pegasus workflow system. */
@NullMarked
package io.sheaf.formats.dax;

import org.jspecify.annotations.NullMarked;
