import Dispatch
import Synchronization

/// Passes requests for a line to the editor's thread, in order.
final class RequestQueue: Sendable {
    typealias Request = CheckedContinuation<LineEvent, Never>

    private struct Values {
        var waiting: [Request] = []
        var isClosed = false
    }

    private let values = Mutex(Values())
    private let available = DispatchSemaphore(value: 0)

    /// Adds a request. A closed queue responds at once.
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

    /// Closes the queue; returns whether it was open.
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
