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

    /// The first bytes of a file.
    static func head(of url: URL) throws -> [UInt8] { try chunks(of: url)() ?? [] }

    /// The chunks of a file; the file is closed with the closure.
    static func chunks(of url: URL) throws(RutterError) -> () throws -> [UInt8]? {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw unreadable(url, error)
        }
        return {
            do {
                guard let data = try handle.read(upToCount: chunkSize), !data.isEmpty else { return nil }
                return [UInt8](data)
            } catch {
                throw unreadable(url, error)
            }
        }
    }

    /// The lines of a file or text, without their ends, one at a time.
    static func lines(_ chunks: @escaping () throws -> [UInt8]?, origin: TextOrigin) -> () throws -> String? {
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
                    return try text(buffer[position..<(hasReturn ? end - 1 : end)], line, origin)
                }
                if isAtEnd {
                    guard position < buffer.count else { return nil }
                    defer { position = buffer.count }
                    return try text(buffer[position...], line + 1, origin)
                }
                buffer.removeFirst(position)
                position = 0
                if let more = try chunks() { buffer += more } else { isAtEnd = true }
            }
        }
    }

    private static func text(
        _ bytes: ArraySlice<UInt8>, _ line: Int, _ origin: TextOrigin
    ) throws -> String {
        let isMarked = line == 1 && bytes.starts(with: UTF8Check.byteOrderMark)
        if let text = String(validating: isMarked ? bytes.dropFirst(3) : bytes, as: UTF8.self) { return text }
        let bad = UTF8Check.firstInvalid(Array(bytes)) ?? 0
        let column = Array(bytes.prefix(bad)).reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        throw origin.error(DataErrors.encoding, "this is not UTF-8", line: line, column: column)
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
