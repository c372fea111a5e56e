import Foundation

/// A place index as bytes: what a file beside a database holds.
///
/// Numbers are little-endian; lists are differences or small numbers of seven bits a byte (LEB128), words are written
/// without what they share with the one before. What can be counted again, such as which names a word stands in, is not
/// written.
public enum PlaceIndexFile {
    private static let magic: UInt64 = 0x0031_5844_4E49_5450  // "PTINDX1"
    private static let head = 24

    /// The bytes of an index; `stamp` identifies what it was made of.
    public static func data(_ index: PlaceIndex, stamp: UInt64) -> Data {
        var writer = Writer()
        writer.add(index.vocabulary)
        writer.add(index.kinds)
        writer.add(index.contexts)
        writer.add(index.names)
        var last = 0
        for document in index.nameDocuments {
            let number = Int(document & ~PlaceIndex.otherName)
            writer.add((number - last) << 1 | (document & PlaceIndex.otherName != 0 ? 1 : 0))
            last = number
        }
        let documents = index.documents
        writer.add(documents.count)
        writer.bytes += documents.ranks
        writer.bytes += documents.prominences
        for column in [documents.latitudes, documents.longitudes] {
            for value in column { withUnsafeBytes(of: value.littleEndian) { writer.bytes += $0 } }
        }
        for kind in documents.kinds { writer.add(Int(kind)) }
        for context in documents.contexts { writer.add(Int(context)) }
        var data = Data(capacity: head + writer.bytes.count)
        for word in [magic, stamp, checksum(writer.bytes)] {
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: writer.bytes)
        return data
    }

    /// The index in bytes; `nil` when they are damaged or were made of something else.
    public static func index(_ data: Data, stamp: UInt64) -> PlaceIndex? {
        let bytes = [UInt8](data)
        guard bytes.count >= head else { return nil }
        func word(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let body = Array(bytes[head...])
        guard word(0) == magic, word(8) == stamp, word(16) == checksum(body) else { return nil }
        var reader = Reader(bytes: body)
        return try? reader.index()
    }

    /// FNV-1a of eight bytes at a time.
    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0xCBF2_9CE4_8422_2325
            var offset = 0
            while offset + 8 <= bytes.count {
                sum =
                    (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
                    &* 0x100_0000_01B3
                sum ^= sum >> 29
                offset += 8
            }
            while offset < bytes.count {
                sum = (sum ^ UInt64(bytes[offset])) &* 0x100_0000_01B3
                offset += 1
            }
            return sum ^ UInt64(bytes.count)
        }
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func add(_ number: Int) {
            var rest = UInt64(bitPattern: Int64(number))
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }

        mutating func add(_ vocabulary: PlaceVocabulary) {
            add(vocabulary.count)
            var last: ArraySlice<UInt8> = []
            for number in 0..<vocabulary.count {
                let word = vocabulary[number]
                let shared = zip(last, word).prefix { $0 == $1 }.count
                add(shared)
                add(word.count - shared)
                bytes += word.dropFirst(shared)
                last = word
            }
        }

        mutating func add(_ texts: [String]) {
            add(texts.count)
            for text in texts {
                add(text.utf8.count)
                bytes += text.utf8
            }
        }

        mutating func add(_ lists: PlaceIndex.WordLists) {
            add(lists.count)
            for list in 0..<lists.count {
                let range = lists.range(list)
                add(range.count)
                for index in range { add(Int(lists.items[index])) }
            }
        }
    }

    /// The bytes do not make an index.
    private struct Damage: Error {}

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func number(below limit: Int) throws(Damage) -> Int {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while offset < bytes.count, shift < 63 {
                let byte = bytes[offset]
                offset += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 {
                    guard value < UInt64(limit) else { throw Damage() }
                    return Int(value)
                }
                shift += 7
            }
            throw Damage()
        }

        /// How many of something follow, each of at least one byte.
        mutating func count() throws(Damage) -> Int {
            try number(below: min(bytes.count - offset + 1, Int(PlaceIndex.otherName)))
        }

        mutating func take(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
            guard count <= bytes.count - offset else { throw Damage() }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }

        mutating func vocabulary() throws(Damage) -> PlaceVocabulary {
            let count = try count()
            var (words, starts): ([UInt8], [UInt32]) = ([], [0])
            starts.reserveCapacity(count + 1)
            words.reserveCapacity(8 * count)
            var last = 0
            for _ in 0..<count {
                let shared = try number(below: words.count - last + 1)
                let rest = try take(try self.count())
                let start = words.count
                for index in last..<last + shared { words.append(words[index]) }
                words += rest
                guard words.count > start, words.count < Int(UInt32.max) else { throw Damage() }
                starts.append(UInt32(words.count))
                last = start
            }
            return PlaceVocabulary(bytes: words, starts: starts)
        }

        mutating func texts() throws(Damage) -> [String] {
            var texts: [String] = []
            for _ in 0..<(try count()) {
                texts.append(String(decoding: try take(try count()), as: UTF8.self))
            }
            return texts
        }

        mutating func lists(words: Int) throws(Damage) -> PlaceIndex.WordLists {
            let count = try count()
            var lists = PlaceIndex.WordLists()
            lists.starts.reserveCapacity(count + 1)
            lists.items.reserveCapacity(3 * count)
            for _ in 0..<count {
                for _ in 0..<(try self.count()) { lists.items.append(UInt32(try number(below: words))) }
                lists.starts.append(UInt32(lists.items.count))
            }
            return lists
        }

        mutating func column(_ count: Int) throws(Damage) -> [Int32] {
            let bytes = Array(try take(4 * count))
            return bytes.withUnsafeBytes { bytes in
                (0..<count).map {
                    Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self))
                }
            }
        }

        mutating func index() throws(Damage) -> PlaceIndex {
            let vocabulary = try vocabulary()
            let kinds = try texts()
            let contexts = try lists(words: vocabulary.count)
            let names = try lists(words: vocabulary.count)
            var nameDocuments: [UInt32] = []
            nameDocuments.reserveCapacity(names.count)
            var last = 0
            for _ in 0..<names.count {
                let step = try number(below: Int(PlaceIndex.otherName))
                last += step >> 1
                guard last < Int(PlaceIndex.otherName) else { throw Damage() }
                nameDocuments.append(UInt32(last) | (step & 1 == 1 ? PlaceIndex.otherName : 0))
            }
            var documents = PlaceIndex.Documents()
            let count = try count()
            documents.ranks = Array(try take(count))
            documents.prominences = Array(try take(count))
            documents.latitudes = try column(count)
            documents.longitudes = try column(count)
            for _ in 0..<count { documents.kinds.append(UInt16(try number(below: max(1, kinds.count)))) }
            for _ in 0..<count { documents.contexts.append(UInt32(try number(below: contexts.count))) }
            guard offset == bytes.count, names.count == 0 || last < count, contexts.count > 0,
                kinds.count <= Int(UInt16.max), count == 0 || !kinds.isEmpty
            else { throw Damage() }
            return PlaceIndex(
                vocabulary: vocabulary, documents: documents, kinds: kinds, contexts: contexts,
                names: names, nameDocuments: nameDocuments)
        }
    }
}
