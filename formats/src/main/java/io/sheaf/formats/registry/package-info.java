/** The list of workflow formats, and the choice of one for a file. */
@NullMarked
package io.sheaf.formats.registry;

import org.jspecify.annotations.NullMarked;
