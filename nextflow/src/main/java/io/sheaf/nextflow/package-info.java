/** The executor {@code sheaf} of Nextflow: a plug-in that runs processes as tasks of a Sheaf queue. */
@NullMarked
package io.sheaf.nextflow;

import org.jspecify.annotations.NullMarked;
