@NullMarked
package io.sheaf.app.service;

import org.jspecify.annotations.NullMarked;
