import Core
import Foundation

/// Diagnoses a file that should be a database, from its bytes alone.
package struct FileDiagnosis: Sendable, Equatable {
    /// The cause.
    package enum Cause: String, Sendable, CaseIterable {
        case empty, compressed, encrypted, otherFile, header, newer, pageSize, truncated, pageCount
    }

    /// The cause.
    package let cause: Cause
    /// The finding, with numbers.
    package let what: String
    /// The fix.
    package let fix: String

    /// The problems of a file; empty if it begins like a database and has the size stated in its header.
    /// Pages are not read.
    package static func of(_ url: URL) -> [FileDiagnosis] {
        guard let file = FileBytes(url) else { return [] }
        let size = file.size
        let start = file.bytes(at: 0, count: sampleSize)
        if start.isEmpty {
            return [
                Self(.empty, "the file is empty", "pull it again; the transfer was interrupted")
            ]
        }
        guard start.starts(with: magic) else { return [notADatabase(start, size, file)] }
        guard start.count >= 100 else {
            return [
                Self(
                    .truncated, "truncated within the header: \(size) of at least 512 bytes",
                    "pull the file again")
            ]
        }
        let version = max(start[18], start[19])
        if version > 2 {
            return [
                Self(
                    .newer, "file format \(version) is newer than the 2 that SQLite reads",
                    "open it with the program that wrote it")
            ]
        }
        let schema = start.number(at: 44, bytes: 4)
        if schema > 4 {
            return [
                Self(
                    .newer, "schema format \(schema) is newer than the 4 that SQLite reads",
                    "open it with the program that wrote it")
            ]
        }
        let stated = start.number(at: 16, bytes: 2)
        let page = stated == 1 ? 65_536 : stated
        guard (512...65_536).contains(page), page & (page - 1) == 0 else {
            return [
                Self(
                    .pageSize, "the page size in the header is \(page), not a power of two from 512 to 65536",
                    "recover the readable rows with `store repair`")
            ]
        }
        return lengths(start, size, page, url) + damagedHeader(start)
    }

    /// The first problem, for an error message.
    package static func words(_ url: URL) -> FileDiagnosis? { of(url).first }

    private init(_ cause: Cause, _ what: String, _ fix: String) {
        self.cause = cause
        self.what = what
        self.fix = fix
    }

    // MARK: Databases

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let sampleSize = 64 << 10

    private static func lengths(_ start: [UInt8], _ size: Int, _ page: Int, _ url: URL) -> [FileDiagnosis] {
        let whole = size / page
        // The number of pages is valid only if the last writer updated it; and a log may contain pages that
        // are not in the file yet.
        let isStated = start[24..<28] == start[92..<96]
        let pages = isStated ? start.number(at: 28, bytes: 4) : 0
        let log = URL(fileURLWithPath: url.path + "-wal")
        let hasLog = FileBytes(log).map { $0.size > WriteAheadLog.headerSize } ?? false
        let pull = "pull the file again; `store repair` recovers the rows of the existing pages"
        if size % page != 0 {
            let of = pages > whole ? " of \(pages)" : ""
            return [
                Self(
                    .truncated,
                    "truncated: ends \(size % page) bytes into page \(whole + 1)\(of) (\(page) bytes each)",
                    pull)
            ]
        }
        guard pages > 0, !hasLog else { return [] }
        if pages > whole {
            return [
                Self(
                    .truncated, "truncated: ends after page \(whole) of the \(pages) that the header counts",
                    pull)
            ]
        }
        if pages < whole {
            return [
                Self(
                    .pageCount, "the header counts \(pages) pages, the file has \(whole)",
                    "recover the rows with `store repair`; pages past the count are not read by SQLite")
            ]
        }
        return []
    }

    private static func damagedHeader(_ start: [UInt8]) -> [FileDiagnosis] {
        var wrong: [String] = []
        if Array(start[21..<24]) != [64, 32, 32] { wrong.append("payload fractions") }
        if start.number(at: 56, bytes: 4) > 3 { wrong.append("text encoding") }
        if ![0, 2, 5, 10, 13].contains(start[safe: 100] ?? 0) { wrong.append("type of the first page") }
        if wrong.isEmpty { return [] }
        return [
            Self(
                .header, "damaged header: \(wrong.joined(separator: ", "))",
                "recover the readable rows with `store repair`")
        ]
    }

    // MARK: Other files

    private static let signatures: [([UInt8], String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0x42, 0x5A, 0x68], "bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
        ([0x37, 0x7A, 0xBC, 0xAF], "7-zip"),
    ]

    private static func notADatabase(_ start: [UInt8], _ size: Int, _ file: FileBytes) -> FileDiagnosis {
        if let (_, name) = signatures.first(where: { start.starts(with: $0.0) }) {
            return Self(.compressed, "compressed with \(name)", "unpack it first")
        }
        if start.starts(with: [0x37, 0x7F, 0x06]) {
            return Self(
                .otherFile, "a write-ahead log, which belongs beside its database",
                "pull the database with its -wal, and open the database")
        }
        if start.starts(with: [0xD9, 0xD5, 0x05, 0xF9]) {
            return Self(
                .otherFile, "a rollback journal, which belongs beside its database",
                "pull the database with its -journal, and open the database")
        }
        if start.starts(with: Array("bplist".utf8)) || start.starts(with: Array("<?xml".utf8)) {
            return Self(.otherFile, "a property list or XML, not a database", "open the database beside it")
        }
        if start.starts(with: Array("** This file contains an SQLite 2".utf8)) {
            return Self(.otherFile, "a database of SQLite 2", "convert it with sqlite 2's .dump")
        }
        if start.allSatisfy({ $0 == 0 }) {
            return Self(
                .header, "begins with \(start.count) zero bytes: never written to the disk, or wiped",
                "pull it again from the device")
        }
        let pages = treePages(file, size)
        if pages > 0 {
            return Self(
                .header,
                "the header is overwritten, but \(pages, of: "page") of a database follow",
                "restore the first 100 bytes from another copy, then run `store repair`")
        }
        let entropy = entropy(start)
        if start.count >= 512, entropy > encryptedEntropy {
            let bits = (entropy * 100).rounded() / 100
            return Self(
                .encrypted, "encrypted, or random: \(bits) bits of entropy a byte and no header",
                "decrypt it with the app's key, as `sqlcipher` does, and open the result")
        }
        return Self(.otherFile, "does not begin like a database", "check that it is the right file")
    }

    /// Shannon entropy above which bytes count as random; text and databases stay below 6.5.
    private static let encryptedEntropy = 7.2

    private static func entropy(_ bytes: [UInt8]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        return counts.reduce(0) { sum, count in
            count == 0 ? sum : sum - Double(count) / total * log2(Double(count) / total)
        }
    }

    /// Pages after the first of the usual size that begin like tree pages.
    private static func treePages(_ file: FileBytes, _ size: Int) -> Int {
        let page = 4096
        guard size >= 2 * page, size % page == 0 else { return 0 }
        return (1..<min(size / page, 64)).count { number in
            let head = file.bytes(at: number * page, count: 8)
            let content = head.number(at: 5, bytes: 2)
            return [2, 5, 10, 13].contains(head.first ?? 0) && head.number(at: 3, bytes: 2) <= page / 4
                && (content == 0 || (8...page).contains(content)) && head.number(at: 1, bytes: 2) < page
        }
    }
}

extension [UInt8] {
    fileprivate subscript(safe index: Int) -> UInt8? { index < count ? self[index] : nil }
}
