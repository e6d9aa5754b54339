package io.sheaf.runtime.journal;

/**
 * One record of a journal.
 *
 * @param type what it is, 1 to 127; the journal itself does not care
 * @param payload its bytes, which nobody changes
 */
@SuppressWarnings("ArrayRecordComponent") // Records are many and small; nobody compares them.
public record Entry(byte type, byte[] payload) {}
