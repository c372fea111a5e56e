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
            var whole: GPXDocument?
            var start = 0
            var end: Int?
            // Files that are chained are independent: each has its own activity.
            repeat {
                var builder = FITBuilder()
                end = try file(raw, from: start, name, &builder, check)
                start = end ?? raw.count
                if !isHeader(raw, at: start), start < raw.count {
                    builder.notice("\(raw.count - start) bytes after the end of the data")
                }
                let part = builder.document()
                whole = whole.map { $0.followed(by: part) } ?? part
            } while isHeader(raw, at: start)
            return whole ?? GPXDocument()
        }
    }

    private static func isHeader(_ raw: UnsafeRawBufferPointer, at start: Int) -> Bool {
        raw.count - start >= 12 && (raw[start] == 12 || raw[start] == 14)
            && raw[start + 8..<start + 12].elementsEqual(".FIT".utf8)
    }

    /// Reads one of the files, which may be chained, and returns its end; `nil` if it is cut or damaged. What is whole before that
    /// is kept, and the damage is a notice; without any point it is an error.
    private static func file(
        _ raw: UnsafeRawBufferPointer, from start: Int, _ name: String, _ builder: inout FITBuilder,
        _ check: (Int) throws -> Void
    ) throws -> Int? {
        guard isHeader(raw, at: start) else {
            throw FITErrors.header("\(name) does not begin with a FIT header")
        }
        let header = Int(raw[start])
        let size = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
        // A device that stops before it has saved the file leaves a size of 0.
        let isUnfinished = size == 0 && raw.count - start > header + 2
        let end = isUnfinished ? raw.count : start + header + size
        var fault: RutterError?
        if isUnfinished {
            fault = FITErrors.cut(
                "\(name) was never finished: its header states no data", fix: "copy it from the device again")
        } else if end + 2 > raw.count {
            fault = FITErrors.cut(
                "\(name) has \(raw.count - start) bytes; its header states \(header + size + 2)",
                fix: "copy it from the device again")
        } else {
            let stored = UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: end, as: UInt16.self))
            let computed = FITChecksum.of(raw[start..<end])
            if stored != computed {
                fault = FITErrors.checksum(
                    "\(name): the checksum is \(hex(computed)), not \(hex(stored))",
                    fix: "copy it from the device again")
            }
        }
        var decoder = FITDecoder(
            raw: UnsafeRawBufferPointer(rebasing: raw[..<min(end, raw.count)]), position: start + header,
            name: name)
        decoder.isSuspicious = fault != nil
        let atStart = decoder
        func run() throws {
            do {
                try decoder.run(&builder, check)
            } catch let error as RutterError
                where [FITErrors.cut.code, FITErrors.message.code].contains(error.code)
            {
                fault = fault ?? error
            }
        }
        try run()
        if let descriptions = builder.lateDescriptions {
            // Some devices describe a field behind the first records that have it.
            (builder, decoder) = (FITBuilder(knowing: descriptions), atStart)
            try run()
        }
        if let first = decoder.gaps.first {
            fault =
                fault
                ?? FITErrors.message(
                    "\(name): the bytes \(first.lowerBound) to \(first.upperBound) are no messages")
        }
        for gap in decoder.gaps.prefix(FITProfile.saidGaps) {
            builder.doubt(
                "the bytes \(gap.lowerBound) to \(gap.upperBound) could not be read: reading went on behind them"
            )
        }
        if decoder.gaps.count > FITProfile.saidGaps {
            builder.doubt(
                "\(decoder.gaps.count - FITProfile.saidGaps) more stretches of bytes could not be read")
        }
        guard let fault else { return end + 2 }
        guard builder.count > 0 else { throw fault }
        builder.doubt("the file is cut or damaged; what is whole was read (\(fault.message))")
        return end + 2 <= raw.count ? end + 2 : nil
    }

    private static func hex(_ value: UInt16) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}

extension GPXDocument {
    /// The contents of two files that are chained.
    fileprivate func followed(by other: GPXDocument) -> GPXDocument {
        var all = self
        all.tracks += other.tracks
        all.routes += other.routes
        all.waypoints += other.waypoints
        all.doubts += other.doubts
        if let account = other.account { all.account?.add(account) }
        all.notices += other.notices.filter { !all.notices.contains($0) }
        all.name = all.name ?? other.name
        all.time = all.time ?? other.time
        all.creator = all.creator ?? other.creator
        return all
    }
}
