package io.sheaf.manager;

/**
 * A node that new pilot jobs of a run exclude.
 *
 * @param host its name in the batch system
 * @param until when the exclusion expires, in milliseconds
 * @param reason the reason, for users
 */
public record AvoidedNode(String host, long until, String reason) {}
