/** Reads Snakemake's job scripts for clusters and their properties. */
@NullMarked
package io.sheaf.formats.snakemake;

import org.jspecify.annotations.NullMarked;
