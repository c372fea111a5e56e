import Dispatch
import Synchronization

/// Hands requests for a line to the editor's thread, one after another.
final class RequestQueue: Sendable {
    typealias Request = CheckedContinuation<LineEvent, Never>

    private struct Values {
        var waiting: [Request] = []
        var isClosed = false
    }

    private let values = Mutex(Values())
    private let available = DispatchSemaphore(value: 0)

    /// Adds a request. A closed queue answers at once.
    func submit(_ request: Request) {
        let isClosed = values.withLock { values in
            if !values.isClosed { values.waiting.append(request) }
            return values.isClosed
        }
        if isClosed { request.resume(returning: .endOfInput) } else { available.signal() }
    }

    /// Waits for a request; nil once the queue is closed.
    func next() -> Request? {
        available.wait()
        return values.withLock { values in
            values.isClosed || values.waiting.isEmpty ? nil : values.waiting.removeFirst()
        }
    }

    /// Takes no more requests, and gives back whether it did until now.
    func close() -> Bool {
        let (wasOpen, abandoned) = values.withLock { values in
            defer {
                values.isClosed = true
                values.waiting = []
            }
            return (!values.isClosed, values.waiting)
        }
        for request in abandoned { request.resume(returning: .endOfInput) }
        available.signal()
        return wasOpen
    }
}
