import Core
import Formats
import Foundation

/// Diagnoses a file that should be a database, from its bytes alone.
package struct FileDiagnosis: Sendable, Equatable {
    /// The cause.
    package enum Cause: String, Sendable, CaseIterable {
        case empty, compressed, encrypted, otherFile, transfer, header, newer, pageSize, truncated, pageCount
        /// A complete database with further bytes behind its last page.
        case appended
        /// A text that begins like JSON.
        case document
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
            let journal = FileBytes(URL(fileURLWithPath: url.path + "-journal"))?.size ?? 0
            let beside =
                journal > 0
                ? ": what its app had is not here; the journal beside it, of \(journal, of: "byte"), has single pages as they were before the last change"
                : ""
            return [
                Self(.empty, "the file is empty\(beside)", "pull it again; the transfer was interrupted")
            ]
        }
        guard start.starts(with: magic) else { return [notADatabase(start, size, file, url)] }
        guard start.count >= 100 else {
            return [
                Self(
                    .truncated, "truncated within the header: \(size) of at least 512 bytes",
                    "pull the file again")
            ]
        }
        guard let reading = HeaderReading(file) else { return [] }
        if isEncrypted(start, reading, from: plainHeader) {
            return [
                Self(
                    .encrypted,
                    "encrypted (or overwritten) behind a readable header: bytes like random ones from byte \(plainHeader) on, as SQLCipher writes them for apps with a plain header",
                    cipherFix)
            ]
        }
        // A transfer as text explains everything else that does not fit.
        let lengths = lengths(start, size, reading, url)
        if !lengths.isEmpty || !reading.isSound || reading.supporting == 0,
            let transfer = TextTransfer.of(file)
        {
            return [Self(transfer)]
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
        return header(start, reading) + lengths
    }

    /// The first problem, for an error message.
    package static func words(_ url: URL) -> FileDiagnosis? { of(url).first }

    init(_ cause: Cause, _ what: String, _ fix: String) {
        self.cause = cause
        self.what = what
        self.fix = fix
    }

    // MARK: Databases

    static let magic = Array("SQLite format 3\0".utf8)
    private static let sampleSize = 64 << 10

    private init(_ transfer: TextTransfer) { self.init(.transfer, transfer.what, transfer.fix) }

    /// What the pages contradict in the header.
    private static func header(_ start: [UInt8], _ reading: HeaderReading) -> [FileDiagnosis] {
        let repair = "`store repair` reads the pages as they are, and writes a new header"
        guard HeaderReading.pageSize(start) != nil || reading.supporting > 0 else {
            return [
                Self(
                    .pageSize,
                    "the page size in the header is \(start.number(at: 16, bytes: 2)), not a power of two from 512 to 65536",
                    "recover the readable rows with `store repair`")
            ]
        }
        var wrong = reading.contradictions
        if ![0, 2, 5, 10, 13].contains(start[safe: HeaderReading.length] ?? 0) {
            wrong.append("the first page is not one of a table")
        }
        if wrong.isEmpty { return [] }
        let cause: Cause = wrong.contains { $0.hasPrefix("page size") } ? .pageSize : .header
        return [Self(cause, "damaged header: \(wrong.joined(separator: "; "))", repair)]
    }

    /// Whether a journal that SQLite rolls back lies beside a file: one that is done has no header.
    package static func hasHotJournal(_ url: URL) -> Bool {
        let journal = FileBytes(URL(fileURLWithPath: url.path + "-journal"))
        return journal?.bytes(at: 0, count: journalMagic.count) == journalMagic
    }

    private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    private static func lengths(
        _ start: [UInt8], _ size: Int, _ reading: HeaderReading, _ url: URL
    ) -> [FileDiagnosis] {
        let page = reading.pageSize
        let (whole, rest) = (size / page, size % page)
        // The number of pages is valid only if the last writer updated it; and a log may contain pages that
        // are not in the file yet.
        let isStated = start[24..<28] == start[92..<96]
        let pages = isStated ? start.number(at: 28, bytes: 4) : 0
        let log = URL(fileURLWithPath: url.path + "-wal")
        let hasLog = FileBytes(log).map { $0.size > WriteAheadLog.headerSize } ?? false
        // The journal of an interrupted transaction has the size from before it, to which SQLite goes back.
        if hasHotJournal(url) { return [] }
        let pull = "pull the file again; `store repair` recovers the rows of the existing pages"
        if pages > 0, !hasLog, pages * page < size {
            let end = pages * page
            if FileBytes(url)?.bytes(at: end, count: magic.count) == magic {
                return [
                    Self(
                        .pageCount,
                        "another database follows the \(pages, of: "page") that the header counts, from byte \(end + 1) on",
                        "take them apart: head -c \(end) FILE > first.db; tail -c +\(end + 1) FILE > second.db"
                    )
                ]
            }
            let behind = size - end
            if !reading.hasTreePages(from: pages + 1) {
                return [
                    Self(
                        .appended,
                        "complete: \(behind, of: "byte") \(behind == 1 ? "follows" : "follow") the last of its \(pages, of: "page")",
                        "none needed: SQLite reads the \(pages) pages that the header counts")
                ]
            }
            return [
                Self(
                    .pageCount, "the header counts \(pages) pages, the file has \(whole)",
                    "recover the rows with `store repair`; pages past the count are not read by SQLite")
            ]
        }
        if rest != 0 {
            let of = pages > whole ? " of \(pages)" : ""
            return [
                Self(
                    .truncated,
                    "truncated: ends \(rest) bytes into page \(whole + 1)\(of) (\(page) bytes each)",
                    pull)
            ]
        }
        guard pages > 0, !hasLog, pages > whole else { return [] }
        return [
            Self(
                .truncated, "truncated: ends after page \(whole) of the \(pages) that the header counts",
                pull)
        ]
    }

    // MARK: Other files

    private static let signatures: [([UInt8], String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0x42, 0x5A, 0x68], "bzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
        ([0x37, 0x7A, 0xBC, 0xAF], "7-zip"), (Array("Rar!".utf8), "RAR"),
        // The usual second bytes of zlib's frame: https://www.rfc-editor.org/rfc/rfc1950
        ([0x78, 0x01], "zlib"), ([0x78, 0x5E], "zlib"), ([0x78, 0x9C], "zlib"), ([0x78, 0xDA], "zlib"),
        ([0x04, 0x22, 0x4D, 0x18], "LZ4"), (Array("bvx".utf8), "LZFSE"), (Array("LZIP".utf8), "lzip"),
    ]

    /// Texts that files begin with which are taken for a database, in lower case, what these are, and what to do.
    private static let texts: [(start: [String], what: String, fix: String)] = [
        (
            ["version https://git-lfs"], "a pointer of Git LFS, not the file that it stands for",
            "git lfs pull"
        ),
        (
            ["pragma foreign_keys", "begin transaction", "create table", "-- "],
            "statements of SQL, as a dump has them",
            "create the database from them: sqlite3 new.db < FILE"
        ),
    ]

    /// The first bytes of a database as hexadecimal digits.
    private static let hexMagic = "53514c69746520666f726d6174203300"

    /// A file that begins with a known text; `nil` for any other.
    private static func text(_ start: [UInt8]) -> FileDiagnosis? {
        if HeadText(start).isWebPage {
            return Self(
                .otherFile, "a web page, such as of a login or of an error",
                "download the file again, signed in")
        }
        let lower = String(decoding: start.prefix(64), as: UTF8.self).lowercased()
        let text = lower.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        for known in texts where known.start.contains(where: text.hasPrefix) {
            return Self(.otherFile, known.what, known.fix)
        }
        if lower.filter({ !$0.isWhitespace }).hasPrefix(hexMagic) {
            return Self(
                .transfer, "the file is encoded in hexadecimal digits", "decode it: xxd -r -p FILE > new.db")
        }
        return androidBackup(start)
    }

    /// A text that begins like JSON, and what is wrong with it; `nil` for any other file.
    private static func document(_ start: [UInt8], _ url: URL) -> FileDiagnosis? {
        let isText = start.prefix(textSample).allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText, DocumentFiles.mayBe(url) else { return nil }
        do {
            let documents = try DocumentFiles(url)
            return Self(
                .document, "JSON, not a database: \(documents.recognition.reason)", "name it NAME.json")
        } catch {
            return Self(
                .document, error.message,
                "correct the named place; the file is text. Or restore it from a copy")
        }
    }

    /// Bytes at the start by which a text is distinguished from random bytes.
    private static let textSample = 64

    /// The backup that `adb backup` writes: four lines, and a tar archive that is usually compressed.
    private static func androidBackup(_ start: [UInt8]) -> FileDiagnosis? {
        let lines = start.prefix(200).split(separator: 10, maxSplits: 4, omittingEmptySubsequences: false)
        guard lines.count >= 4, lines[0].elementsEqual("ANDROID BACKUP".utf8) else { return nil }
        let cipher = String(decoding: lines[3], as: UTF8.self)
        if cipher != "none" {
            return Self(
                .compressed, "an Android backup, encrypted with a password (\(cipher))",
                "make a backup without a password, or decrypt it with a tool for such backups")
        }
        let header = lines.prefix(4).reduce(0) { $0 + $1.count + 1 }
        let isCompressed = lines[2].elementsEqual("1".utf8)
        let tail = "tail -c +\(header + 1) FILE"
        return Self(
            .compressed,
            "an Android backup, not encrypted: a \(isCompressed ? "compressed " : "")tar archive after \(header) bytes",
            isCompressed
                ? "unpack it and open the folder: (printf '\\037\\213\\010\\0\\0\\0\\0\\0'; \(tail)) | gunzip | tar x"
                : "unpack it and open the folder: \(tail) | tar x")
    }

    private static func notADatabase(
        _ start: [UInt8], _ size: Int, _ file: FileBytes, _ url: URL
    ) -> FileDiagnosis {
        if let (_, name) = signatures.first(where: { start.starts(with: $0.0) }) {
            return Self(.compressed, "compressed with \(name)", "unpack it first")
        }
        if start.starts(with: [0x37, 0x7F, 0x06]) {
            return Self(
                .otherFile, "a write-ahead log, which belongs beside its database",
                "open the database beside it; if there is none, pull the database with its -wal")
        }
        if start.starts(with: [0xD9, 0xD5, 0x05, 0xF9]) {
            return Self(
                .otherFile, "a rollback journal, which belongs beside its database",
                "pull the database with its -journal, and open the database")
        }
        if start.starts(with: Array("mbdb\u{5}\0".utf8)) {
            return Self(
                .otherFile, "the index of a phone's backup of iOS 9 or older, not a database",
                "open the folder of the backup: its stores are found by their content")
        }
        if start.dropFirst(257).starts(with: Array("ustar".utf8)) {
            return Self(
                .compressed, "a tar archive in which no store was found",
                "list it: tar tf FILE; if it ends early, copy it again")
        }
        let isXML = start.starts(with: Array("<?xml".utf8))
        if isXML, !String(decoding: start, as: UTF8.self).contains("<plist") {
            return Self(
                .otherFile, "XML, not a database", "`import FILE` reads recordings, routes, places and maps")
        }
        if isXML || start.starts(with: Array("bplist".utf8)) {
            return Self(.otherFile, "a property list or XML, not a database", "open the database beside it")
        }
        if start.starts(with: Array("** This file contains an SQLite 2".utf8)) {
            return Self(.otherFile, "a database of SQLite 2", "convert it with sqlite 2's .dump")
        }
        if start.starts(with: [0x00, 0x05, 0x16, 0x07]) {
            return Self(
                .otherFile, "the AppleDouble file that macOS keeps beside another, named ._NAME",
                "open the file of the name without `._`")
        }
        if start.dropFirst(16).starts(with: Array("T-DB".utf8)) {
            return Self(
                .otherFile, "a database of Realm, not of SQLite",
                "export it from its app, or with Realm Studio")
        }
        if start.dropFirst(16).starts(with: [0xDE, 0xC0, 0xEF, 0xBE]) {
            return Self(
                .otherFile, "a database of LMDB, not of SQLite", "export it with mdb_dump, or from its app")
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF] + magic) {
            return Self(
                .otherFile,
                "a database behind the 3 bytes of a byte order mark, which a transfer as text added",
                "cut them off: tail -c +4 FILE > new.db")
        }
        if size < magic.count, magic.starts(with: start) {
            return Self(
                .truncated, "truncated within the header: \(size) of at least 512 bytes",
                "pull the file again")
        }
        if let text = text(start) ?? document(start, url) { return text }
        if start.allSatisfy({ $0 == 0 }) {
            return Self(
                .header, "begins with \(start.count) zero bytes: never written to the disk, or wiped",
                "pull it again from the device")
        }
        if let transfer = TextTransfer.of(file) { return Self(transfer) }
        if let other = MisplacedDatabase.diagnosis(start, size: size) { return other }
        let entropy = entropy(start)
        let isRandom = start.count >= leastRandom && entropy > encryptedEntropy
        if let reading = HeaderReading(file), !isRandom || reading.supporting > mostByChance {
            return Self(
                .header,
                "the header is overwritten, but \(reading.supporting, of: "page") of \(reading.pageSize) bytes of a database follow",
                "`store repair` reads the pages without it")
        }
        if isRandom {
            let bits = (entropy * 100).rounded() / 100
            let isWhole = size % cipherPage == 0
            return Self(
                .encrypted,
                "encrypted, or random: \(bits) bits of entropy a byte and no header"
                    + (isWhole
                        ? "; \(size / cipherPage, of: "page") of \(cipherPage) bytes, as SQLCipher writes them"
                        : ""),
                cipherFix)
        }
        guard let words = beginning(start) else {
            return Self(.otherFile, "does not begin like a database", "check that it is the right file")
        }
        return Self(
            .otherFile, "does not begin like a database: text, `\(words)`",
            "check that it is the right file; `open` reads tables of text")
    }

    /// Maximum characters of a text in a finding.
    private static let longestBeginning = 40

    /// The beginning of a text; `nil` of other bytes.
    static func beginning(_ start: [UInt8]) -> String? {
        let sample = start.prefix(textSample)
        guard sample.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else {
            return nil
        }
        let line = String(decoding: sample, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        return line.count > longestBeginning ? line.prefix(longestBeginning) + "…" : String(line)
    }

    /// SQLCipher's usual page, in bytes, and the part of the first one that it leaves readable for iOS.
    private static let (cipherPage, plainHeader) = (4096, 32)
    private static let cipherFix =
        "open a decrypted copy with the app's key: `store open FILE --key KEY`; of another cipher than SQLCipher decrypt it with the app's own tools"

    /// Whether everything from an offset on is as random bytes, and no page is one of a database.
    private static func isEncrypted(_ start: [UInt8], _ reading: HeaderReading, from offset: Int) -> Bool {
        let rest = Array(start.dropFirst(offset))
        return reading.supporting == 0 && rest.count >= leastRandom && entropy(rest) > encryptedEntropy
    }

    /// Pages of random bytes that may look like those of a database.
    private static let mostByChance = 3

    /// Bytes from which on entropy tells random bytes from others.
    private static let leastRandom = 512

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
}

extension [UInt8] {
    fileprivate subscript(safe index: Int) -> UInt8? { index < count ? self[index] : nil }
}
