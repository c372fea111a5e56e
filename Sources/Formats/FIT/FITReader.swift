import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads FIT activities and courses (FIT SDK, "FIT protocol"): records become points, stops of the timer begin new
/// segments, sessions become tracks, course points waypoints. Memory is bounded by the size of the file.
public enum FITReader {
    /// Maximum bytes of a file.
    public static let largestFile = 512 << 20

    /// Throws `E-FIT-TOOLARGE` for a file that is too large.
    public static func checkSize(_ source: SourceBytes) throws(RutterError) {
        guard source.size <= largestFile else {
            throw FITErrors.tooLarge("\(source.name) has \(source.size) bytes, more than \(largestFile)")
        }
    }

    /// Reads a whole file. Throws an error of `FITErrors`, or of `check`, which is called every thousand
    /// points, as is `progress`.
    public static func document(
        _ url: URL, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        try document(SourceBytes(url), check: check, progress: progress)
    }

    /// Reads a whole file that is opened or in memory.
    public static func document(
        _ source: SourceBytes, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        try checkSize(source)
        return try document(source.all(), source.name) {
            try check()
            progress($0)
        }
    }

    /// Reads the bytes of a file; `name` is its name in errors.
    public static func document(
        _ data: some ContiguousBytes, _ name: String, check: (Int) throws -> Void = { _ in }
    ) throws -> GPXDocument {
        try data.withUnsafeBytes { raw in
            var builder = FITBuilder()
            var start = 0
            repeat {
                let end = try file(raw, from: start, name, &builder, check)
                start = end
            } while isHeader(raw, at: start)
            if start < raw.count { builder.notice("\(raw.count - start) bytes after the end of the data") }
            return builder.document()
        }
    }

    private static func isHeader(_ raw: UnsafeRawBufferPointer, at start: Int) -> Bool {
        raw.count - start >= 12 && (raw[start] == 12 || raw[start] == 14)
            && raw[start + 8..<start + 12].elementsEqual(".FIT".utf8)
    }

    /// Reads one of the files, which may be chained, and returns its end.
    private static func file(
        _ raw: UnsafeRawBufferPointer, from start: Int, _ name: String, _ builder: inout FITBuilder,
        _ check: (Int) throws -> Void
    ) throws -> Int {
        guard isHeader(raw, at: start) else {
            throw FITErrors.header("\(name) does not begin with a FIT header")
        }
        let header = Int(raw[start])
        let size = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
        let end = start + header + size
        guard end + 2 <= raw.count else {
            throw FITErrors.cut(
                "\(name) has \(raw.count - start) bytes; its header states \(header + size + 2)",
                fix: "copy it from the device again")
        }
        let stored = UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: end, as: UInt16.self))
        let computed = FITChecksum.of(raw[start..<end])
        guard stored == computed else {
            throw FITErrors.checksum(
                "\(name): the checksum is \(hex(computed)), not \(hex(stored))",
                fix: "copy it from the device again")
        }
        var decoder = FITDecoder(
            raw: UnsafeRawBufferPointer(rebasing: raw[..<end]), position: start + header, name: name)
        try decoder.run(&builder, check)
        return end + 2
    }

    private static func hex(_ value: UInt16) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}
