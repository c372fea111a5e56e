import Foundation

/// A place index as bytes, for a file beside a database.
///
/// Numbers are little-endian; lists are differences or small numbers of seven bits a byte (LEB128), words are
/// written without the prefix that they share with the previous one. Data that can be recomputed, such as the
/// names that contain a word, is not written.
public enum PlaceIndexFile {
    private static let magic: UInt64 = 0x0035_5844_4E49_5450  // "PTINDX5"
    /// Bytes of magic, stamp and sum of the rest.
    private static let head = 24

    /// The bytes of an index; `stamp` identifies its source.
    public static func data(_ index: PlaceIndex, stamp: UInt64) -> Data {
        var words = Writer()
        words.add(index.locations)
        words.add(index.vocabulary)
        words.add(index.contexts)
        words.add(index.names)
        var last = 0
        for document in index.nameDocuments {
            let number = Int(document & ~PlaceIndex.otherName)
            words.add((number - last) << 1 | (document & PlaceIndex.otherName != 0 ? 1 : 0))
            last = number
        }
        for context in index.placeContexts { words.add(Int(context)) }
        var data = Data(capacity: head + words.bytes.count)
        for word in [magic, stamp, words.bytes.withUnsafeBytes { Checksum.of($0) }] {
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: words.bytes)
        return data
    }

    /// The index in bytes; `nil` if they are damaged or have another stamp.
    public static func index(_ data: Data, stamp: UInt64) -> PlaceIndex? {
        data.withUnsafeBytes { bytes in
            guard bytes.count >= head else { return nil }
            let words = UnsafeRawBufferPointer(rebasing: bytes[head...])
            let expected = [magic, stamp, Checksum.of(words)]
            for (number, word) in expected.enumerated()
            where bytes.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self).littleEndian != word {
                return nil
            }
            var reader = Reader(bytes: words)
            return try? reader.index()
        }
    }

    /// The index in a file; `nil` if there is none, or as in `index(_:stamp:)`.
    public static func index(in file: URL, stamp: UInt64) -> PlaceIndex? {
        (try? Data(contentsOf: file)).flatMap { index($0, stamp: stamp) }
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

        mutating func add(_ locations: PlaceLocations) {
            add(locations.kindNames)
            add(locations.count)
            bytes += locations.ranks
            bytes += locations.prominences
            add(column: locations.latitudes)
            add(column: locations.longitudes)
            add(column: locations.kinds)
        }

        private mutating func add(column: [some FixedWidthInteger]) {
            for value in column { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
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

    /// The bytes are not a valid index.
    private struct Damage: Error {}

    /// Reads bytes in place; they must outlive the reader.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var offset = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

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

        /// The number of elements that follow, each of at least one byte.
        mutating func count() throws(Damage) -> Int {
            try number(below: min(bytes.count - offset + 1, Int(PlaceIndex.otherName)))
        }

        mutating func take(_ count: Int) throws(Damage) -> Slice<UnsafeRawBufferPointer> {
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

        mutating func column<Number: FixedWidthInteger>(_ count: Int) throws(Damage) -> [Number] {
            let bytes = UnsafeRawBufferPointer(rebasing: try take(MemoryLayout<Number>.size * count))
            let column = [Number](unsafeUninitializedCapacity: count) { target, filled in
                UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
                filled = count
            }
            return Number(littleEndian: 1) == 1 ? column : column.map(Number.init(littleEndian:))
        }

        mutating func locations() throws(Damage) -> PlaceLocations {
            var locations = PlaceLocations()
            locations.kindNames = try texts()
            let count = try count()
            locations.ranks = Array(try take(count))
            locations.prominences = Array(try take(count))
            locations.latitudes = try column(count)
            locations.longitudes = try column(count)
            locations.kinds = try column(count)
            let last = locations.kinds.max() ?? 0
            guard count == 0 || last < locations.kindNames.count else { throw Damage() }
            return locations
        }

        mutating func index() throws(Damage) -> PlaceIndex {
            let locations = try locations()
            let vocabulary = try vocabulary()
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
            var placeContexts: [UInt32] = []
            placeContexts.reserveCapacity(locations.count)
            for _ in 0..<locations.count {
                placeContexts.append(UInt32(try number(below: contexts.count)))
            }
            guard offset == bytes.count, names.count == 0 || last < locations.count, contexts.count > 0
            else { throw Damage() }
            return PlaceIndex(
                vocabulary: vocabulary, locations: locations, placeContexts: placeContexts,
                contexts: contexts, names: names, nameDocuments: nameDocuments)
        }
    }
}
