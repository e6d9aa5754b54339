@NullMarked
package io.sheaf.formats.snakemake;

import org.jspecify.annotations.NullMarked;
