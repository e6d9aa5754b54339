/** Experiments on platforms of several clusters without a queue: workflows × algorithms and portfolios, simulated or read from published tables. */
@NullMarked
package io.sheaf.lab.platform;

import org.jspecify.annotations.NullMarked;
