package io.sheaf.lab;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time in nanoseconds, which does not depend on the load of the machine. */
final class ProcessorTime {
    private ProcessorTime() {}

    /** Processor time of this process with compiler and garbage collector; 0 if not available. */
    static long ofProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean
                ? Math.max(0, bean.getProcessCpuTime())
                : 0;
    }

    /** Processor time of this thread; 0 if not available. */
    static long ofThread() {
        var threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? Math.max(0, threads.getCurrentThreadCpuTime()) : 0;
    }
}
