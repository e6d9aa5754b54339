/** Estimates before a run: predict and plan. */
@NullMarked
package io.sheaf.app.predict;

import org.jspecify.annotations.NullMarked;
