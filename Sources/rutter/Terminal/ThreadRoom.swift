import Foundation

/// Whether the system allows the threads that a session needs. Swift's own pool does not report that it could start none: tasks
/// would wait for ever.
enum ThreadRoom {
    /// Threads that run at once in a session that imports a file, with room for those of libraries.
    private static let needed = 12
    /// Bytes of the stack of a thread that only waits.
    private static let stack = 128 << 10

    /// Starts as many threads and ends them; returns the system's reason if it refuses.
    static func problem() -> String? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stack)
        let gate = DispatchSemaphore(value: 0)
        var threads: [pthread_t] = []
        var code: Int32 = 0
        for _ in 0..<needed where code == 0 {
            var thread = pthread_t()
            let argument = Unmanaged.passUnretained(gate).toOpaque()
            code = pthread_create(
                &thread, &attributes,
                { argument in
                    if let argument {
                        Unmanaged<DispatchSemaphore>.fromOpaque(argument).takeUnretainedValue().wait()
                    }
                    return nil
                }, argument)
            if code == 0 { threads.append(thread) }
        }
        for _ in threads { gate.signal() }
        for thread in threads { pthread_join(thread, nil) }
        return code == 0 ? nil : String(cString: strerror(code))
    }
}
