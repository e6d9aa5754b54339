/** The service for many workflows: serve and submit, and its HTTP API. */
@NullMarked
package io.sheaf.app.service;

import org.jspecify.annotations.NullMarked;
