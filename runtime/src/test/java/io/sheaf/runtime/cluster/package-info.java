@NullMarked
package io.sheaf.runtime.cluster;

import org.jspecify.annotations.NullMarked;
