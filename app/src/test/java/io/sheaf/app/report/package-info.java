@NullMarked
package io.sheaf.app.report;

import org.jspecify.annotations.NullMarked;
