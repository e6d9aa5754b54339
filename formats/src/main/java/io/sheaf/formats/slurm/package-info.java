/** What Slurm's commands print, read: accounting records as a job log. */
@NullMarked
package io.sheaf.formats.slurm;

import org.jspecify.annotations.NullMarked;
