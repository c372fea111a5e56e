import Foundation
import PluginKit
import TrailStores

/// Findings in the bytes of a database and its companion files, before SQLite reads a page.
enum FileFindings {
    static let empty = kind(
        "EMPTY", "the file is empty", "An interrupted transfer leaves a file of 0 bytes.")
    static let compressed = kind(
        "COMPRESSED", "the file is compressed", "Its first bytes are those of an archive, not of a database.")
    static let encrypted = kind(
        "ENCRYPTED", "the file is encrypted",
        "Its bytes look random from the first one on; there is no readable header.")
    static let other = kind(
        "OTHER", "not a SQLite database",
        "It does not begin with the 16 bytes of a SQLite 3 database.")
    static let document = kind(
        "JSON", "a JSON document cannot be read as a store",
        "A folder of planned routes, locations and tones are JSON; apps show nothing of a document that does not decode."
    )
    static let header = kind(
        "HEADER", "the header is damaged", "The first 100 bytes describe the pages; some are invalid.")
    static let newer = kind(
        "NEWER", "the file is of a newer format",
        "Its version is above those that SQLite reads. It is not damaged.")
    static let pageSize = kind(
        "PAGESIZE", "the page size is invalid", "Pages have a power of two of bytes, from 512 to 65536.")
    static let truncated = kind(
        "TRUNCATED", "the file is truncated",
        "It ends before the last page that its header counts, or within a page.")
    static let pageCount = kind(
        "PAGECOUNT", "the file is longer than its header says",
        "SQLite reads only the pages that the header counts.")
    static let appended = FindingKind(
        .info, "F-FILE-APPENDED", "bytes follow the last page",
        why: "The database is complete; SQLite does not read what follows its last page.", fix: "none needed")
    static let transfer = kind(
        "TRANSFER", "the file was transferred as text",
        "A transfer in text mode rewrites bytes, so that the pages of a database no longer lie where they belong."
    )
    static let aloneLog = FindingKind(
        .warning, "F-LOG-ALONE", "a write-ahead log without its database",
        why: """
            The log of a database that was never checkpointed has all its pages, and is read as the database. Other databases have \
            pages of their own, which are missing.
            """, fix: pull)
    static let cycle = FindingKind(
        .error, "F-FILE-CYCLE", "pages refer to a page twice",
        why:
            "A page below itself, or below two others, makes a tree endless: SQLite might never finish reading it.",
        fix: "recover the readable rows with `store repair`")
    static let noLog = FindingKind(
        .info, "F-LOG-ABSENT", "no write-ahead log beside the file",
        why: """
            The database is in WAL mode. If its app was running when the file was copied, the latest changes are in the -wal file \
            that was not copied.
            """, fix: pull)
    static let lostLog = FindingKind(
        .error, "F-LOG-LOST", "the write-ahead log is missing",
        why:
            "The -shm file beside the database counts frames of a log that is missing, with its changes.",
        fix: pull)
    static let torn = FindingKind(
        .error, "F-LOG-TORN", "the write-ahead log is cut or damaged",
        why:
            "SQLite reads a log up to the first frame whose checksum is wrong. Transactions after it are missing.",
        fix: pull)
    static let badLog = FindingKind(
        .error, "F-LOG-HEADER", "the write-ahead log is ignored",
        why:
            "Its header is damaged, or its page size differs: SQLite silently ignores it.",
        fix: pull)
    static let foreignLog = FindingKind(
        .warning, "F-LOG-FOREIGN", "a write-ahead log that is not of this file",
        why: """
            A file takes the mark of WAL mode before its first log is written. A file without the mark was put back, or replaced, and \
            the log of the former one stayed: SQLite applies it all the same, and shows rows of either.
            """,
        fix: "move the -wal and -shm files away in a copy, and compare: `store diff`")
    static let open = FindingKind(
        .info, "F-LOG-OPEN", "a transaction is unfinished",
        why: "The last frames of the log were not committed when the file was copied; they are ignored.",
        fix: "none needed; pull the file again to see whether the transaction was committed")
    static let staleIndex = FindingKind(
        .warning, "F-LOG-INDEX", "the -shm file belongs to another log",
        why:
            "Database, -wal and -shm were copied at different times. SQLite rebuilds the index if it detects that.",
        fix: "delete the -shm file of the copy; " + pull)
    static let journal = FindingKind(
        .warning, "F-FILE-JOURNAL", "a transaction was interrupted",
        why: "A journal is beside the file: the next program that opens both rolls the transaction back.",
        fix: "work on a copy of both files; SQLite rolls back there")
    static let all = [
        empty, compressed, encrypted, other, document, transfer, header, newer, pageSize, truncated,
        pageCount,
        appended,
        cycle, noLog, lostLog, aloneLog,
        torn, badLog, foreignLog, open, staleIndex, journal,
    ]

    private static let pull = """
        copy database, -wal and -shm together, with the app stopped (`adb shell am force-stop APP`, then \
        `adb exec-out run-as APP tar c databases`)
        """

    private static func kind(_ code: String, _ title: String, _ why: String) -> FindingKind {
        FindingKind(
            .error, "F-FILE-" + code, title, why: why, fix: "the finding states the fix")
    }

    private static let byCause: [FileDiagnosis.Cause: FindingKind] = [
        .empty: empty, .compressed: compressed, .encrypted: encrypted, .otherFile: other, .header: header,
        .newer: newer, .pageSize: pageSize, .truncated: truncated, .pageCount: pageCount,
        .appended: appended, .transfer: transfer, .document: document,
    ]

    /// The bytes that describe a database.
    private static let headerSize = 100

    /// Findings in a file and its companions.
    static func of(_ url: URL) throws -> [Finding] {
        let file = url.resolvingSymlinksInPath()
        if let log = try LoneLog(file) { return [finding(aloneLog, log.words)] }
        var found = FileDiagnosis.of(file).compactMap { diagnosis in
            byCause[diagnosis.cause].map { finding($0, "\(diagnosis.what); \(diagnosis.fix)") }
        }
        guard found.allSatisfy({ $0.kind.severity == .info }), let header = header(of: file) else {
            return found
        }
        found += try log(file, header)
        // One whose header is zeros, as `journal_mode` PERSIST leaves it, is done.
        if FileDiagnosis.hasHotJournal(file),
            let journal = FileBytes(URL(fileURLWithPath: file.path + "-journal"))
        {
            found.append(finding(Self.journal, "there is a journal of \(journal.size) bytes beside the file"))
        }
        return found
    }

    /// Pages with two references to them, in a file with its log applied.
    static func cycles(_ url: URL, check: () throws -> Void) throws -> [Finding] {
        guard let image = try StoreImage(url, check: check) else { return [] }
        var shape = TreeShape(image.pages)
        try shape.follow(root: 1, check: check)
        // If the schema itself is endless, only that is reported.
        if shape.repeats.isEmpty {
            for part in try image.parts(check: check) where part.root > 1 {
                try shape.follow(root: part.root, check: check)
            }
        }
        return shape.repeats.prefix(CheckSettings.integrityMessages).map {
            finding(cycle, "page \($0.from) refers to page \($0.page), which another page refers to")
        }
    }

    private static func finding(_ kind: FindingKind, _ what: String) -> Finding {
        Finding(kind: kind, table: nil, row: nil, id: nil, what: what)
    }

    // MARK: Log

    private static func log(_ url: URL, _ header: [UInt8]) throws -> [Finding] {
        let stated = header.number(at: 16, bytes: 2)
        let pageSize = stated == 1 ? 65_536 : stated
        guard header[19] == 2 else { return try foreignLog(url, pageSize) }
        let index = FileBytes(URL(fileURLWithPath: url.path + "-shm")).flatMap { WriteAheadIndex($0) }
        let beside = FileBytes(URL(fileURLWithPath: url.path + "-wal"))
        guard let file = beside, file.size > 0 else {
            if let index, index.frames > index.written {
                let count = index.frames - index.written
                return [
                    finding(
                        lostLog,
                        "the -shm file counts \(count, of: "frame") that only the missing -wal had"
                    )
                ]
            }
            // An empty log was written back into the file completely.
            if beside != nil { return [] }
            return [finding(noLog, "in WAL mode without its -wal: changes of a running app may be missing")]
        }
        guard let log = try WriteAheadLog.read(file), log.pageSize == pageSize else {
            return [
                finding(badLog, "\(file.size) bytes of log that SQLite ignores: \(badHeader(file, pageSize))")
            ]
        }
        return frames(log, index)
    }

    /// A log with transactions beside a file that is not in WAL mode.
    private static func foreignLog(_ url: URL, _ pageSize: Int) throws -> [Finding] {
        guard let file = FileBytes(URL(fileURLWithPath: url.path + "-wal")), file.size > 0,
            let log = try WriteAheadLog.read(file), !log.commits.isEmpty
        else { return [] }
        let sizes =
            log.pageSize == pageSize
            ? "" : "; its pages have \(log.pageSize) bytes, the file's \(pageSize)"
        return [
            finding(
                foreignLog,
                "a log of \(log.commits.count, of: "transaction") is beside the file, which is not in WAL mode\(sizes); a copy of the file alone is read without it"
            )
        ]
    }

    /// The same at opening, when SQLite has applied it; `nil` if the log is of the file.
    static func foreignLogWords(_ url: URL) throws -> String? {
        let file = url.resolvingSymlinksInPath()
        guard let header = header(of: file) else { return nil }
        let found = try log(file, header).first { $0.kind.code == foreignLog.code }
        return found.map { "\($0.what): some rows may be of another file" }
    }

    /// What SQLite does not read of the write-ahead log beside a file, although it may have been committed; `nil` if
    /// it reads all of it, or if nothing shows that there was one.
    static func unreadLog(_ url: URL) throws -> String? {
        let file = url.resolvingSymlinksInPath()
        guard let header = header(of: file) else { return nil }
        let unread = [torn, badLog, lostLog].map(\.code)
        return try log(file, header).first { unread.contains($0.kind.code) }?.what
    }

    private static func header(of file: URL) -> [UInt8]? {
        let bytes = FileBytes(file)?.bytes(at: 0, count: headerSize)
        return bytes?.count == headerSize ? bytes : nil
    }

    private static func badHeader(_ file: FileBytes, _ pageSize: Int) -> String {
        let head = file.bytes(at: 0, count: WriteAheadLog.headerSize)
        if let log = WriteAheadLog(header: head) {
            return "its pages have \(log.pageSize) bytes, the database's \(pageSize)"
        }
        return head.count < WriteAheadLog.headerSize
            ? "it ends within its header" : "the checksum of its header is wrong"
    }

    private static func frames(_ log: WriteAheadLog, _ index: WriteAheadIndex?) -> [Finding] {
        var found: [Finding] = []
        let good = log.commits.last?.frames.upperBound ?? 0
        if case .torn(let count) = log.end {
            let frames = "\(count, of: "frame")"
            found.append(
                finding(
                    torn,
                    "\(frames) after frame \(log.frames.count) cannot be read; \(log.commits.count) transactions are complete"
                ))
        } else if let index, index.salts == log.salts, index.frames > log.frames.count {
            found.append(
                finding(torn, "the -shm file counts \(index.frames) frames, the log has \(log.frames.count)"))
        } else if log.unfinished > 0 {
            found.append(finding(open, "\(log.unfinished) frames after frame \(good) were not committed"))
        }
        if let index, index.salts != log.salts {
            found.append(finding(staleIndex, "the -shm file is of another generation of the log"))
        }
        return found
    }
}
