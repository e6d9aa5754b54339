/** Reads and writes workflows in the formats that their authors use. */
@NullMarked
package io.sheaf.formats;

import org.jspecify.annotations.NullMarked;
