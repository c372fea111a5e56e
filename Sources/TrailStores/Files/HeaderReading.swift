import Core

/// What the header of a database states, and what its pages support: page size, reserved bytes and text encoding are
/// established from the pages, since one wrong byte of the header makes all of them unreadable.
package struct HeaderReading: Sendable {
    /// The first 100 bytes as they are.
    package let stated: [UInt8]
    /// Bytes of a page.
    package let pageSize: Int
    /// Bytes at the end of each page that SQLite does not use.
    package let reserved: Int
    /// Text encoding: 1 UTF-8, 2 UTF-16 little-endian, 3 UTF-16 big-endian.
    package let encoding: Int
    /// Number of examined pages whose bytes come out with this reading.
    package let supporting: Int
    /// Fields of the header that the pages contradict, in words.
    package let contradictions: [String]
    private let size: Int
    private let read: @Sendable (_ offset: Int, _ count: Int) -> [UInt8]

    /// Bytes of the header.
    package static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let sizes = (9...16).map { 1 << $0 }
    /// Number of pages that are examined.
    private static let sampled = 128
    /// Number of pages on which each number of reserved bytes is tried.
    private static let tried = 8
    /// The least part of a page that SQLite accepts.
    private static let leastUsable = 480
    private static let fractions: [UInt8] = [64, 32, 32]
    private static let encodings = ["none", "UTF-8", "UTF-16le", "UTF-16be"]

    /// Whether the file begins like a database.
    var hasMagic: Bool { stated.starts(with: Self.magic) }

    /// Whether the pages contradict nothing that the header states.
    package var isSound: Bool { contradictions.isEmpty }

    /// Reads a file; `nil` if it neither begins like a database nor has pages of one.
    package init?(_ file: FileBytes) {
        self.init(size: file.size) { file.bytes(at: $0, count: $1) }
    }

    /// Reads bytes, up to a number of them from an offset.
    package init?(size: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) -> [UInt8]) {
        let start = read(0, Self.length)
        guard start.count == Self.length else { return nil }
        stated = start
        self.size = size
        self.read = read
        let hasMagic = start.starts(with: Self.magic)
        let statedSize = Self.pageSize(start)
        let statedReserved = Int(start[20])
        var best: Sample?
        if let statedSize, statedSize - statedReserved >= Self.leastUsable {
            best = Sample(statedSize, statedReserved, size, read)
        }
        // One page in four may be damaged before another reading is looked for.
        if best.map({ $0.good == 0 || $0.bad * 4 > $0.good }) ?? true {
            for candidate in Self.candidates(size, read) where candidate.bytes > 2 * (best?.bytes ?? 0) {
                best = candidate
            }
        }
        guard let best, hasMagic || best.good > 0 && best.hasCells else { return nil }
        supporting = best.good
        let isSupported = best.good > 0
        pageSize = isSupported ? best.pageSize : statedSize ?? 4096
        reserved =
            isSupported
            ? best.reserved : statedSize == nil ? 0 : min(statedReserved, pageSize - Self.leastUsable)
        let statedEncoding = start.number(at: 56, bytes: 4)
        let found = best.votes.encoding(stated: statedEncoding)
        encoding = found ?? ((1...3).contains(statedEncoding) ? statedEncoding : 1)
        var words: [String] = []
        if !hasMagic { words.append("the first 16 bytes are not those of a database") }
        if isSupported {
            if statedSize != pageSize {
                words.append(
                    "page size (bytes 16-17): \(start.number(at: 16, bytes: 2)), the pages have \(pageSize) bytes"
                )
            }
            if statedReserved != reserved {
                words.append("reserved bytes (byte 20): \(statedReserved), the pages leave \(reserved)")
            }
        }
        if Array(start[21..<24]) != Self.fractions {
            words.append(
                "payload fractions (bytes 21-23): \(start[21]), \(start[22]), \(start[23]), always 64, 32, 32"
            )
        }
        // An empty database has no encoding yet.
        if statedEncoding != encoding, statedEncoding != 0 || found != nil {
            let name = Self.encodings[encoding]
            words.append(
                "text encoding (byte 59): "
                    + ((1...3).contains(statedEncoding)
                        ? Self.encodings[statedEncoding] : "\(statedEncoding)")
                    + (found == nil ? ", must be 1 to 3" : ", the texts are \(name)"))
        }
        contradictions = words
    }

    /// The header as the pages support it, for `pages` pages in the file.
    package func mended(pages: Int) -> [UInt8] {
        var header =
            hasMagic ? stated : Self.magic + [UInt8](repeating: 0, count: Self.length - Self.magic.count)
        func set(_ value: Int, at offset: Int, _ bytes: Int) {
            for index in 0..<bytes {
                header[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - index)))
            }
        }
        set(pageSize == 65_536 ? 1 : pageSize, at: 16, 2)
        for index in [18, 19] where !(1...2).contains(header[index]) { header[index] = 1 }
        header[20] = UInt8(reserved)
        header.replaceSubrange(21..<24, with: Self.fractions)
        set(pages, at: 28, 4)
        // The number of pages counts only if both counters agree.
        header.replaceSubrange(92..<96, with: header[24..<28])
        if header.number(at: 32, bytes: 4) > pages || header.number(at: 36, bytes: 4) > pages {
            set(0, at: 32, 8)
        }
        if !(1...4).contains(header.number(at: 44, bytes: 4)) { set(4, at: 44, 4) }
        set(encoding, at: 56, 4)
        return header
    }

    /// Whether pages of trees, whose bytes come out, are among those from a number on.
    package func hasTreePages(from first: Int) -> Bool {
        guard first <= pages else { return false }
        return Sample.numbers(pages - first + 1, most: Self.sampled).contains {
            Sample.isGood(read, first + $0 - 1, pageSize, reserved, size)
        }
    }

    /// Number of complete pages of the file.
    package var pages: Int { size / pageSize }

    /// The page size that a header states, in bytes; `nil` if it is invalid.
    package static func pageSize(_ header: [UInt8]) -> Int? {
        let stated = header.number(at: 16, bytes: 2)
        let size = stated == 1 ? 65_536 : stated
        return sizes.contains(size) ? size : nil
    }

    // MARK: Evidence

    private static func candidates(_ size: Int, _ read: (Int, Int) -> [UInt8]) -> [Sample] {
        sizes.filter { $0 <= size }.map { pageSize in
            let plain = Sample(pageSize, 0, size, read)
            if plain.good > plain.bad { return plain }
            let numbers = Sample.numbers(size / pageSize, most: tried)
            let most = min(255, pageSize - leastUsable)
            let reserves = (1...max(1, most)).map { reserved in
                (reserved, numbers.count { Sample.isGood(read, $0, pageSize, reserved, size) })
            }
            guard most > 0, let best = reserves.max(by: { $0.1 < $1.1 }), best.1 > 0 else { return plain }
            return Sample(pageSize, best.0, size, read)
        }.sorted { $0.bytes > $1.bytes }
    }

    /// The pages of a file under one reading.
    private struct Sample {
        let pageSize: Int
        let reserved: Int
        /// Pages of trees whose bytes come out, and those whose do not.
        var good = 0
        var bad = 0
        var hasCells = false
        var votes = Votes()

        var bytes: Int { good * pageSize }

        init(_ pageSize: Int, _ reserved: Int, _ size: Int, _ read: (Int, Int) -> [UInt8]) {
            self.pageSize = pageSize
            self.reserved = reserved
            for number in Self.numbers(size / pageSize, most: HeaderReading.sampled) {
                guard let (page, shape) = Self.shape(read, number, pageSize, reserved, size) else { continue }
                guard shape.isConsistent else {
                    bad += 1
                    continue
                }
                good += 1
                hasCells = hasCells || !shape.cells.isEmpty
                if shape.kind == .tableLeaf { votes.add(page, shape, usable: pageSize - reserved) }
            }
        }

        /// Numbers of pages, evenly from the whole file, the first always.
        static func numbers(_ pages: Int, most: Int) -> [Int] {
            guard pages > most else { return Array(1...max(1, pages)) }
            return (0..<most).map { 1 + $0 * (pages - 1) / (most - 1) }
        }

        static func isGood(
            _ read: (Int, Int) -> [UInt8], _ number: Int, _ pageSize: Int, _ reserved: Int, _ size: Int
        ) -> Bool { shape(read, number, pageSize, reserved, size)?.1.isConsistent ?? false }

        private static func shape(
            _ read: (Int, Int) -> [UInt8], _ number: Int, _ pageSize: Int, _ reserved: Int, _ size: Int
        ) -> ([UInt8], PageShape)? {
            let page = read((number - 1) * pageSize, pageSize)
            guard page.count == pageSize else { return nil }
            let start = number == 1 ? HeaderReading.length : 0
            return PageShape(page, start: start, usable: pageSize - reserved, longest: size).map {
                (page, $0)
            }
        }
    }

    /// How the texts of records are encoded: ASCII characters have a zero byte before or after them in UTF-16.
    private struct Votes {
        private var counts = [0, 0, 0, 0]

        mutating func add(_ page: [UInt8], _ shape: PageShape, usable: Int) {
            for cell in shape.cells.compactMap(\.self) {
                guard let (size, first) = page.variable(at: cell.lowerBound),
                    let (_, second) = page.variable(at: cell.lowerBound + first)
                else { continue }
                let start = cell.lowerBound + first + second
                let local = PayloadShare.local(Int(size), usable: usable, isTable: true)
                guard let (header, length) = page.variable(at: start), header >= Int64(length),
                    header <= Int64(local)
                else { continue }
                var (index, value) = (start + length, start + Int(header))
                while index < start + Int(header), let (type, width) = page.variable(at: index), type >= 0 {
                    index += width
                    let bytes = Self.size(of: type)
                    guard bytes <= start + local - value else { break }
                    if type >= 13, type % 2 == 1 { add(page[value..<value + bytes]) }
                    value += bytes
                }
            }
        }

        private mutating func add(_ text: ArraySlice<UInt8>) {
            guard text.count >= 2 else { return }
            var zeros = [0, 0]
            for (offset, byte) in text.enumerated() where byte == 0 { zeros[offset % 2] += 1 }
            // Half of the characters of one side decide.
            let half = max(1, text.count / 4)
            if text.count % 2 == 0, zeros[1] >= half, zeros[0] < zeros[1] {
                counts[2] += 1
            } else if text.count % 2 == 0, zeros[0] >= half, zeros[1] < zeros[0] {
                counts[3] += 1
            } else if zeros == [0, 0], String(validating: text, as: UTF8.self) != nil {
                counts[1] += 1
            }
        }

        private static func size(of type: Int64) -> Int {
            switch type {
            case 0, 8...11: 0
            case 1...4: Int(type)
            case 5: 6
            case 6, 7: 8
            default: Int(clamping: (type - 12) / 2)
            }
        }

        /// The encoding of nearly all texts; `nil` if there are none, or they disagree.
        func encoding(stated: Int) -> Int? {
            let sum = counts.reduce(0, +)
            // Texts of foreign scripts have no zero bytes and may look like UTF-8 by chance.
            guard sum > 0, let best = (1...3).max(by: { counts[$0] < counts[$1] }),
                counts[best] * 10 >= sum * 9
            else { return nil }
            return best
        }
    }
}
