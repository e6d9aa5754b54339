/** Benchmarks: each class answers the question that is its name. */
@NullMarked
package io.sheaf.bench;

import org.jspecify.annotations.NullMarked;
