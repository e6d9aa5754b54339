/** Studies: experiments that do not compare strategies, but tabulate measures for combinations of key columns. */
@NullMarked
package io.sheaf.lab.study;

import org.jspecify.annotations.NullMarked;
