package io.sheaf.runtime.journal;

/**
 * One record of a journal.
 *
 * @param type the record type, 1 to 127, which the journal does not interpret
 * @param payload its bytes, not to be modified
 */
@SuppressWarnings("ArrayRecordComponent") // Records are many and small, and never compared.
public record JournalEntry(byte type, byte[] payload) {}
