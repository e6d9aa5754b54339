/** Generated workflows compared with published ones. */
@NullMarked
package io.sheaf.formats.generated;

import org.jspecify.annotations.NullMarked;
