package io.sheaf.lab;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time in nanoseconds: unlike time on the wall, it does not tell how busy the machine is with other things. */
final class ProcessorTime {
    private ProcessorTime() {}

    /** Of this process, its compiler and collector included; 0 where that is not to be known. */
    static long ofProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean
                ? Math.max(0, bean.getProcessCpuTime())
                : 0;
    }

    /** Of this thread; 0 where that is not to be known. */
    static long ofThread() {
        var threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? Math.max(0, threads.getCurrentThreadCpuTime()) : 0;
    }
}
