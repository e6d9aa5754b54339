/** Draws workflows: levels as rows, colour by category. */
@NullMarked
package io.sheaf.formats.picture;

import org.jspecify.annotations.NullMarked;
