@NullMarked
package io.sheaf.slurm;

import org.jspecify.annotations.NullMarked;
