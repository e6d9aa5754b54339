@NullMarked
package io.sheaf.formats.swf;

import org.jspecify.annotations.NullMarked;
