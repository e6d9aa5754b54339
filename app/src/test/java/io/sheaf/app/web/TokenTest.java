package io.sheaf.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the token is created once and must be readable by its owner only. */
class TokenTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void theTokenIsCreatedOnceAndPrivate() throws IOException {
        Path file = folder.resolve("token");
        Token token = Token.inFile(file);
        assertThat(token.text())
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(Token.random().text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Token.inFile(file).text()).isEqualTo(token.text());
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
        assertThat(token.is(token.text())).isTrue();
        assertThat(token.is(token.text() + "0")).isFalse();
        assertThat(token.is(null)).isFalse();
    }

    @Test
    void aReadableOrInvalidTokenFileIsRefused() throws IOException {
        Path file = folder.resolve("token");
        Token.inFile(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> Token.inFile(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "1234");
        assertThatThrownBy(() -> Token.inFile(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("is not a token");
    }
}
