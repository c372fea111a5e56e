import Foundation
import PluginKit

/// Reads and writes the files of the data commands.
enum FileText {
    private static let chunkSize = 1 << 16

    /// All bytes of a file.
    static func bytes(of url: URL) throws(RutterError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: url, options: .mappedIfSafe))
        } catch {
            throw unreadable(url, error)
        }
    }

    /// The lines of a file or text, without their ends, one at a time.
    static func lines(
        _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, origin: TextOrigin
    ) -> () throws -> String? {
        var buffer: [UInt8] = []
        var position = 0
        var line = 0
        var isAtEnd = false
        return {
            while true {
                if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                    line += 1
                    defer { position = end + 1 }
                    let hasReturn = end > position && buffer[end - 1] == UInt8(ascii: "\r")
                    return try origin.text(buffer[position..<(hasReturn ? end - 1 : end)], line: line)
                }
                if isAtEnd {
                    guard position < buffer.count else { return nil }
                    defer { position = buffer.count }
                    return try origin.text(buffer[position...], line: line + 1)
                }
                buffer.removeFirst(position)
                position = 0
                let more = try [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
                    count = try read(UnsafeMutableRawBufferPointer(buffer))
                }
                isAtEnd = more.isEmpty
                buffer += more
            }
        }
    }

    /// Writes a file wholly or not at all. A file that exists is only replaced with `force`.
    static func write(
        to url: URL, force: Bool, parameter: String, _ body: (TextSink) throws -> Void
    ) throws -> Int {
        let file = try StagedFile(url, force: force, parameter: parameter)
        var count = 0
        let sink = TextSink { bytes in
            count += bytes.count
            try bytes.withUnsafeBytes { try file.write($0) }
        }
        try body(sink)
        try sink.flush()
        try file.finish()
        return count
    }

    // MARK: Errors

    private static func unreadable(_ url: URL, _ error: any Error) -> RutterError {
        CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read: \(reason(error))")
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        guard underlying.domain == NSPOSIXErrorDomain else { return "\(error.localizedDescription)" }
        return String(cString: strerror(Int32(underlying.code))).lowercased()
    }
}
