/** Grid Engine: its commands and pilot jobs. */
@NullMarked
package io.sheaf.gridengine;

import org.jspecify.annotations.NullMarked;
