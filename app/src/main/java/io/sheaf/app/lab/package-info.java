/** The page of an experiment. */
@NullMarked
package io.sheaf.app.lab;

import org.jspecify.annotations.NullMarked;
