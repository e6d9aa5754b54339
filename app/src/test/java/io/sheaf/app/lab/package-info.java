@NullMarked
package io.sheaf.app.lab;

import org.jspecify.annotations.NullMarked;
