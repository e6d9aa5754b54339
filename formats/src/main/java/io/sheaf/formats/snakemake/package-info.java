/** What Snakemake hands to a cluster: scripts of jobs, with their properties. */
@NullMarked
package io.sheaf.formats.snakemake;

import org.jspecify.annotations.NullMarked;
