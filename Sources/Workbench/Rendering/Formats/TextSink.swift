/// Receives the text that a format writes in chunks, so that a file is written without buffering all of it.
final class TextSink {
    /// Bytes buffered before a chunk is passed on: few at first, so that a consumer which stops after a row has it at once.
    private static let chunks = (first: 1 << 8, most: 1 << 16)

    private var chunk = chunks.first
    private var buffer: [UInt8] = []
    private let drain: (([UInt8]) throws -> Void)?

    /// A sink that passes chunks on, or buffers everything for `text`.
    init(drain: (([UInt8]) throws -> Void)? = nil) { self.drain = drain }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= chunk { try flush() }
    }

    /// Flushes the buffer.
    func flush() throws {
        guard let drain, !buffer.isEmpty else { return }
        try drain(buffer)
        buffer.removeAll(keepingCapacity: true)
        chunk = min(chunk * 2, Self.chunks.most)
    }

    /// The text written and not yet flushed.
    var text: String { String(decoding: buffer, as: UTF8.self) }
}
