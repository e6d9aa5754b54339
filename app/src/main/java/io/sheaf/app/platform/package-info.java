/** Simulated runs on several clusters with storage and network, and their page. */
@NullMarked
package io.sheaf.app.platform;

import org.jspecify.annotations.NullMarked;
