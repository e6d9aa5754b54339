@NullMarked
package io.sheaf.app.predict;

import org.jspecify.annotations.NullMarked;
