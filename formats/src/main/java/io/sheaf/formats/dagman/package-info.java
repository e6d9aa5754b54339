/** Reads and writes workflows as HTCondor DAGMan files with their submit descriptions. */
@NullMarked
package io.sheaf.formats.dagman;

import org.jspecify.annotations.NullMarked;
