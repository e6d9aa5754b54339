/** Tests of the web server. */
@org.jspecify.annotations.NullMarked
package io.sheaf.app.web;
