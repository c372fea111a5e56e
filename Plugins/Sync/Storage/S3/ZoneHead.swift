import Core

/// The location of a page in a batch object, and a hash of its bytes.
struct PageReference: Hashable {
    let batch: UInt64
    let offset: Int
    let length: Int
    let hash: UInt64
}

/// The name of a batch object. Its number is taken from the head that its writer has read: once the head is
/// beyond it, an unlisted object can never be listed. The random half separates writers that read the same
/// head.
struct BatchName: Hashable {
    let number: UInt64
    let salt: UInt64

    static let folder = "batches"

    var text: String { "\(Self.digits(number))-\(Self.digits(salt))" }

    /// The object's name.
    var name: String { "\(Self.folder)/\(text)" }

    init(number: UInt64, salt: UInt64) {
        self.number = number
        self.salt = salt
    }

    /// Parses the part after the folder.
    init?(listed: String) {
        let parts = listed.split(separator: "-")
        guard parts.count == 2, let number = UInt64(parts[0], radix: 16),
            let salt = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(number: number, salt: salt)
    }

    static func digits(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// The only object of a zone that changes. A conditional replacement of it is the only way to commit.
struct ZoneHead: Equatable {
    /// A batch object, and the number of bytes of its pages still in use.
    struct Batch: Hashable {
        let name: BatchName
        let size: Int
        var live: Int
    }

    /// The trees of pages.
    enum Tree: Int, CaseIterable {
        /// Keys to tags and versions.
        case records
        /// Tags to keys.
        case changes
        /// Identifiers to tags and digests, and replicas to the numbers up to which their operations are
        /// discarded.
        case operations
        /// Numbers to hashes.
        case history
        /// Referenced blobs to their folders, if those are closed.
        case blobs
    }

    /// A folder of blobs that still counts although new blobs go to another, and the head when that one was
    /// opened.
    struct Aging: Hashable {
        let folder: BatchName
        let number: Int64
    }

    /// The number of the next batch object; grows with every commit.
    var revision: UInt64 = 1
    /// A random number that identifies the commit after a lost answer.
    var commit: UInt64 = 0
    var lineage: Lineage
    /// The number of the last change.
    var head: Int64 = 0
    var floor: Int64 = 0
    var mark: HistoryMark?
    /// The folder of the devices' reports, named like a batch and replaced by a restore.
    var copy = BatchName(number: 0, salt: 0)
    /// The folder for new blobs.
    var blobs = BatchName(number: 0, salt: 0)
    /// The previous folder, until it is closed.
    var aging: Aging?
    var roots: [PageReference?] = Array(repeating: nil, count: Tree.allCases.count)
    /// In number order.
    var batches: [Batch] = []

    static let name = "head"
    static let blobsFolder = "blobs"
    /// Maximum bytes of a head: lists of batches and epochs are short.
    static let longest = 4 << 20
    static let devicesFolder = "devices"
    private static let format: [UInt8] = Array("rutter zone 3\n".utf8)
    /// The second format is the same, but its writers do not support discarded operations.
    private static let secondFormat: [UInt8] = Array("rutter zone 2\n".utf8)
    /// The first format had a single permanent folder of blobs, and no tree of them.
    private static let firstFormat: [UInt8] = Array("rutter zone 1\n".utf8)

    init(lineage: Lineage) { self.lineage = lineage }

    func batch(_ number: UInt64) -> Batch? {
        let index = batches.partitionIndex { $0.name.number >= number }
        return index < batches.count && batches[index].name.number == number ? batches[index] : nil
    }

    /// The folders in which a blob counts without being in the tree, the newest first.
    var openFolders: [BatchName] { [blobs] + (aging.map { [$0.folder] } ?? []) }

    // MARK: Bytes

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Self.format { writer.add(byte: byte) }
        writer.add(revision)
        writer.add(commit)
        writer.add(lineage.bytes)
        writer.add(head)
        writer.add(floor)
        writer.add(byte: mark == nil ? 0 : 1)
        writer.add(mark?.number ?? 0)
        writer.add(mark?.hash ?? 0)
        blobs.add(to: &writer)
        copy.add(to: &writer)
        writer.add(byte: aging == nil ? 0 : 1)
        if let aging {
            aging.folder.add(to: &writer)
            writer.add(aging.number)
        }
        for root in roots {
            writer.add(byte: root == nil ? 0 : 1)
            if let root { root.add(to: &writer) }
        }
        writer.add(count: batches.count)
        for batch in batches {
            writer.add(batch.name.number)
            writer.add(batch.name.salt)
            writer.add(count: batch.size)
            writer.add(count: batch.live)
        }
        writer.add(writer.withBytes { ContentHash.hash($0, seed: 0) })
        return writer.bytes
    }

    /// `nil` if the bytes are not a head, or are damaged.
    init?(bytes: [UInt8]) {
        let end = bytes.count - 8
        let isFirst = bytes.starts(with: Self.firstFormat)
        guard end > Self.format.count,
            isFirst || bytes.starts(with: Self.format) || bytes.starts(with: Self.secondFormat)
        else { return nil }
        let head = bytes.withUnsafeBytes { all -> ZoneHead? in
            let content = UnsafeRawBufferPointer(rebasing: all[..<end])
            var last = ByteReader(UnsafeRawBufferPointer(rebasing: all[end...]))
            guard last.word() == ContentHash.hash(content, seed: 0) else { return nil }
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: content[Self.format.count...]))
            return ZoneHead(&reader, isFirst: isFirst)
        }
        guard let head else { return nil }
        self = head
    }

    private init?(_ reader: inout ByteReader, isFirst: Bool) {
        guard let revision = reader.word(), let commit = reader.word(),
            let lineage = reader.content().flatMap({ Lineage(bytes: $0) }),
            let head = reader.word().map({ Int64(bitPattern: $0) }), ZoneNumbers.all.contains(head),
            let floor = reader.word().map({ Int64(bitPattern: $0) }), (0...head).contains(floor),
            let isMarked = reader.byte(), let number = reader.word(), let hash = reader.word(),
            let blobs = BatchName(&reader)
        else { return nil }
        self.init(lineage: lineage)
        (self.revision, self.commit, self.head, self.floor) = (revision, commit, head, floor)
        (self.blobs, copy) = (blobs, blobs)
        if !isFirst {
            guard let copy = BatchName(&reader), let isAging = reader.byte() else { return nil }
            self.copy = copy
            if isAging == 1 {
                guard let folder = BatchName(&reader), let number = reader.word() else { return nil }
                aging = Aging(folder: folder, number: Int64(bitPattern: number))
            }
        }
        if isMarked == 1 { mark = HistoryMark(number: Int64(bitPattern: number), hash: hash) }
        for index in isFirst ? 0..<Tree.blobs.rawValue : roots.indices {
            guard let isThere = reader.byte() else { return nil }
            if isThere == 0 { continue }
            guard let root = PageReference(&reader) else { return nil }
            roots[index] = root
        }
        guard let count = reader.count() else { return nil }
        for _ in 0..<count {
            guard let number = reader.word(), let salt = reader.word(), let size = reader.count(),
                let live = reader.count(), batches.last.map({ $0.name.number < number }) ?? true
            else { return nil }
            batches.append(Batch(name: BatchName(number: number, salt: salt), size: size, live: live))
        }
        if !reader.isAtEnd { return nil }
    }
}

extension BatchName {
    func add(to writer: inout ByteWriter) {
        writer.add(number)
        writer.add(salt)
    }

    init?(_ reader: inout ByteReader) {
        guard let number = reader.word(), let salt = reader.word() else { return nil }
        self.init(number: number, salt: salt)
    }
}

extension PageReference {
    func add(to writer: inout ByteWriter) {
        writer.add(batch)
        writer.add(count: offset)
        writer.add(count: length)
        writer.add(hash)
    }

    init?(_ reader: inout ByteReader) {
        guard let batch = reader.word(), let offset = reader.count(), let length = reader.count(),
            let hash = reader.word()
        else { return nil }
        self.init(batch: batch, offset: offset, length: length, hash: hash)
    }
}
