@NullMarked
package io.sheaf.formats.slurm;

import org.jspecify.annotations.NullMarked;
