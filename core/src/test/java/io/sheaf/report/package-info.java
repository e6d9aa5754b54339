@NullMarked
package io.sheaf.report;

import org.jspecify.annotations.NullMarked;
