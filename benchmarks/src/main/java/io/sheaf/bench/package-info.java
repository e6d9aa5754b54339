/** Benchmarks, each named by the question that it answers. */
package io.sheaf.bench;
