package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.runtime.batch.BatchCommands.NamedJob;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers of batch systems are interpreted independently of their commands. */
class BatchAnswersTest {
    @Test
    void theUnfinishedJobOfANameIsPreferred() {
        NamedJob ended = new NamedJob(5, JobState.ENDED);
        assertThat(BatchAnswers.likeliest(List.of(ended, new NamedJob(6, JobState.RUNNING)))
                        .job())
                .isEqualTo(6);
        assertThat(BatchAnswers.likeliest(List.of(ended, new NamedJob(7, JobState.LOST)))
                        .job())
                .isEqualTo(5);
    }

    @Test
    void jobStatesMapToEnds() {
        assertThat(JobState.EXPIRED.end()).isEqualTo(Event.End.EXPIRED);
        assertThat(JobState.CANCELLED.end()).isEqualTo(Event.End.CANCELLED);
        assertThat(JobState.ENDED.end()).isEqualTo(Event.End.BROKEN);
        assertThat(JobState.LOST.end()).isEqualTo(Event.End.LOST);
        assertThat(JobState.LOST.isSure()).isFalse();
        assertThat(JobState.ENDING.isFinal() || JobState.UNLISTED.isFinal()).isFalse();
    }
}
