/** Experiments: lab run, merge, report and show, and their pages. */
@NullMarked
package io.sheaf.app.lab;

import org.jspecify.annotations.NullMarked;
