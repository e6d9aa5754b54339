@NullMarked
package io.sheaf.app.run;

import org.jspecify.annotations.NullMarked;
