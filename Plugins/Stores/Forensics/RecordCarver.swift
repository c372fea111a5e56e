import TrailStores

/// Finds records in bytes that no tree uses any more: free blocks and gaps of pages, free pages, overwritten pages of a log.
///
/// A freed cell keeps its bytes, except that SQLite writes four bytes over its start when it becomes a free block of its
/// own (https://www.sqlite.org/fileformat2.html#b_tree_pages). What a record must look like is known from its table.
struct RecordCarver {
    /// How sure it is that a record was a row as it is shown.
    enum Confidence: String, Sendable, CaseIterable {
        /// The whole cell is there, with its number.
        case high
        /// Its start was overwritten: all values are there, its number may not be.
        case medium
        /// A value is cut off, or the record fits several tables.
        case low
    }

    /// A record that was found.
    struct Found {
        let entry: TreeWalk.Entry
        let confidence: Confidence
        /// Where it begins and ends in the bytes.
        let range: Range<Int>
    }

    /// What a table's records look like.
    struct Shape {
        /// The declared types of the stored cells.
        let affinities: [Affinity]
        /// Which of them must not be NULL.
        let required: [Bool]
        /// The cell that stands for the row's number, stored as NULL.
        let alias: Int?
        /// Cells that a record written before the last column was added may lack.
        let fewest: Int
    }

    /// SQLite's affinity of a column: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
    enum Affinity {
        case integer, text, blob, real, numeric

        init(_ type: String) {
            let type = type.uppercased()
            if type.contains("INT") {
                self = .integer
            } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                self = .text
            } else if type.isEmpty || type.contains("BLOB") {
                self = .blob
            } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                self = .real
            } else {
                self = .numeric
            }
        }

        /// A type of this affinity.
        var word: String {
            switch self {
            case .integer: "INTEGER"
            case .text: "TEXT"
            case .blob: "BLOB"
            case .real: "REAL"
            case .numeric: "NUMERIC"
            }
        }

        /// Whether a cell of this column is stored with a serial type. Columns without a type take everything.
        func takes(_ type: Int64) -> Bool {
            switch type {
            case 0: true
            case 10, 11: false
            case 1...9: self != .text
            default:
                type % 2 == 1
                    ? self != .real || type < 64 : self == .blob || self == .text || self == .numeric
            }
        }
    }

    let shape: Shape
    let source: any PageSource
    /// Overflow pages may be read only where nothing else uses them.
    let mayRead: (Int) -> Bool

    /// The records in a free region of a page, in their order.
    ///
    /// Whole cells first. What lies between them in a free block may be cells whose start was overwritten: SQLite joins a
    /// block with its neighbours, so that one block holds several of them one behind the other. The gap before a page's
    /// cells has mostly copies of rows that moved elsewhere, whole ones; without their start they would look like rows.
    func records(in page: [UInt8], _ region: Range<Int>, isBlock: Bool) -> [Found] {
        var found: [Found] = []
        // The first four bytes of a free block are its own.
        var place = region.lowerBound + (isBlock ? 4 : 0)
        while place + Self.smallest <= region.upperBound {
            if let record = whole(page, place, region.upperBound) {
                found.append(record)
                place = record.range.upperBound
            } else {
                place += 1
            }
        }
        guard isBlock else { return found }
        var headless: [Found] = []
        var start = region.lowerBound
        for next in found.map(\.range) + [region.upperBound..<region.upperBound] {
            headless += beheaded(in: page, start..<next.lowerBound, isFirst: start == region.lowerBound)
            start = next.upperBound
        }
        return (found + headless).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Bytes of the smallest cell that SQLite frees on its own.
    private static let smallest = 4
    /// Columns from which on a header is unlikely to be something else.
    private static let distinct = 4

    /// Cells whose start was overwritten, one behind the other. The place of the first is known where the block begins
    /// with it; the others have to show their whole header.
    private func beheaded(in page: [UInt8], _ range: Range<Int>, isFirst: Bool) -> [Found] {
        var found: [Found] = []
        var place = range.lowerBound
        while place + Self.smallest < range.upperBound {
            let isAnchored = isFirst && place == range.lowerBound
            if isAnchored || shape.affinities.count >= Self.distinct,
                let record = beheaded(page, place..<range.upperBound, infersFirst: isAnchored)
            {
                found.append(record)
                place = record.range.upperBound
            } else {
                place += 1
            }
        }
        return found
    }

    /// A whole cell of a table at a place.
    private func whole(_ page: [UInt8], _ place: Int, _ end: Int) -> Found? {
        guard let (size, sizeLength) = page.variable(at: place), size > 1,
            size < Int64(source.count * source.pageSize),
            let (number, numberLength) = page.variable(at: place + sizeLength), number > 0
        else { return nil }
        return record(
            page, place, header: place + sizeLength + numberLength, size: Int(size), number: number, end,
            .high)
    }

    /// A cell whose first four bytes are overwritten: its sizes are worked out from what is left of its header.
    ///
    /// The block is as long as the cell, or longer where neighbours were freed too; a candidate that fills it is preferred.
    private func beheaded(_ page: [UInt8], _ region: Range<Int>, infersFirst: Bool) -> Found? {
        let start = region.lowerBound
        var best: Found?
        for lengths in Self.prefixes {
            let header = start + lengths.size + lengths.number
            // The column that stands for the number is stored as NULL; another first column shows its type only by its size.
            guard header < region.upperBound, infersFirst || header - start > 2 || shape.alias == 0 else {
                continue
            }
            guard let candidate = guess(page, start, lengths, header, region.upperBound) else { continue }
            if candidate.range.upperBound == region.upperBound { return candidate }
            if best == nil { best = candidate }
        }
        return best
    }

    /// How many bytes the payload's size and the row's number may take, the usual first.
    private static let prefixes: [(size: Int, number: Int)] = [
        (2, 2), (2, 1), (1, 2), (1, 1), (2, 3), (1, 3), (3, 2), (3, 3), (3, 1), (1, 4), (2, 4), (3, 4),
        (1, 5), (2, 5),
    ]

    private func guess(
        _ page: [UInt8], _ start: Int, _ lengths: (size: Int, number: Int), _ header: Int, _ end: Int
    ) -> Found? {
        let lost = start + 4 - header
        // The header's length is one byte for up to a hundred columns, and its types follow.
        for count in stride(from: shape.affinities.count, through: shape.fewest, by: -1) {
            guard let types = types(page, header + 1, count, overwritten: max(0, lost - 1), end) else {
                continue
            }
            let headerSize = 1 + types.length
            if lost <= 0, page[header] != UInt8(truncatingIfNeeded: headerSize) { continue }
            guard headerSize < 128 else { continue }
            var values = types.values
            if let missing = types.missing, missing != shape.alias {
                // The size of the block says how long the one value of unknown type is.
                let known = values.enumerated().reduce(0) {
                    $1.offset == missing ? $0 : $0 + RecordDecoder.size(of: $1.element)
                }
                let body = end - header - headerSize - known
                guard let type = Self.type(of: body, shape.affinities[missing], shape.alias == missing) else {
                    continue
                }
                values[missing] = type
            }
            let body = values.reduce(0) { $0 + RecordDecoder.size(of: $1) }
            let size = headerSize + body
            guard Self.length(of: size) == lengths.size else { continue }
            var fixed = Array(page[header..<min(page.count, header + headerSize)])
            guard fixed.count == headerSize else { continue }
            fixed[0] = UInt8(headerSize)
            if let missing = types.missing {
                guard missing == 0, values[0] < 128 else { continue }
                fixed[1] = UInt8(values[0])
            }
            let number = number(page, start, lengths)
            if let record = record(
                page, start, header: header, size: size, number: number, end, .medium, replacing: fixed)
            {
                return record
            }
        }
        return nil
    }

    /// The serial types of a header, one of which may be overwritten; `nil` when they do not fit the table.
    private func types(
        _ page: [UInt8], _ place: Int, _ count: Int, overwritten: Int, _ end: Int
    ) -> (values: [Int64], length: Int, missing: Int?)? {
        guard overwritten <= 1 else { return nil }
        var values: [Int64] = []
        var index = place
        var missing: Int?
        for column in 0..<count {
            if overwritten == 1, column == 0 {
                missing = 0
                values.append(0)
                index += 1
                continue
            }
            guard index < end, let (type, length) = page.variable(at: index), type >= 0,
                isFitting(type, column)
            else {
                return nil
            }
            values.append(type)
            index += length
        }
        return (values, index - place, missing)
    }

    private func isFitting(_ type: Int64, _ column: Int) -> Bool {
        guard shape.affinities[column].takes(type) else { return false }
        if column == shape.alias { return type == 0 }
        return type != 0 || !shape.required[column]
    }

    private static func type(of bytes: Int, _ affinity: Affinity, _ isAlias: Bool) -> Int64? {
        guard bytes >= 0 else { return nil }
        if isAlias { return bytes == 0 ? 0 : nil }
        switch affinity {
        case .text: return Int64(13 + 2 * bytes)
        case .integer: return [0: 8, 1: 1, 2: 2, 3: 3, 4: 4, 6: 5, 8: 6][bytes]
        case .real: return bytes == 8 ? 7 : nil
        case .blob, .numeric: return Int64(12 + 2 * bytes)
        }
    }

    /// The row's number where its bytes were not overwritten.
    private func number(_ page: [UInt8], _ start: Int, _ lengths: (size: Int, number: Int)) -> Int64? {
        guard lengths.size >= 4, let (number, length) = page.variable(at: start + lengths.size),
            length == lengths.number
        else { return nil }
        return number
    }

    private static func length(of size: Int) -> Int {
        size < 128 ? 1 : size < 16_384 ? 2 : size < 2_097_152 ? 3 : 4
    }

    // MARK: Records

    /// Decodes a record whose header begins at a place, and decides whether it can be one of the table's.
    private func record(
        _ page: [UInt8], _ start: Int, header: Int, size: Int, number: Int64?, _ end: Int,
        _ confidence: Confidence,
        replacing fixed: [UInt8]? = nil
    ) -> Found? {
        let local = localSize(size)
        guard header + local + (local < size ? 4 : 0) <= end else { return nil }
        // The header decides quickly against most places.
        let head = fixed ?? Array(page[header..<header + min(local, 1 + 9 * shape.affinities.count)])
        guard let types = headerTypes(head), types.total == size else { return nil }
        var payload = Array(page[header..<header + local])
        if let fixed { payload.replaceSubrange(0..<fixed.count, with: fixed) }
        var isCut = false
        if local < size {
            let next = page.number(at: header + local, bytes: 4)
            isCut = !appendOverflow(&payload, next, size)
        }
        guard let (cells, isWhole) = RecordDecoder.cells(payload, encoding: source.encoding) else {
            return nil
        }
        guard isWhole || isCut, cells.allSatisfy(Self.isPlain), !cells.isEmpty else { return nil }
        let range = start..<header + local + (local < size ? 4 : 0)
        return Found(
            entry: .init(rowID: number, cells: cells), confidence: isCut ? .low : confidence, range: range)
    }

    /// The total size that a header gives, when its types fit the table.
    private func headerTypes(_ head: [UInt8]) -> (total: Int, count: Int)? {
        guard let (headerSize, first) = head.variable(at: 0), headerSize > 1, headerSize <= head.count else {
            return nil
        }
        var index = first
        var total = Int(headerSize)
        var column = 0
        while index < Int(headerSize) {
            guard column < shape.affinities.count, let (type, length) = head.variable(at: index), type >= 0,
                isFitting(type, column)
            else { return nil }
            total += RecordDecoder.size(of: type)
            guard total < source.count * source.pageSize + source.pageSize else { return nil }
            index += length
            column += 1
        }
        return index == Int(headerSize) && column >= shape.fewest ? (total, column) : nil
    }

    /// Bytes of a record that are on its own page.
    private func localSize(_ size: Int) -> Int {
        let usable = source.usable
        let most = usable - 35
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        return rest <= most ? rest : least
    }

    /// Follows a chain of overflow pages that nothing uses any more; `false` where it breaks off.
    private func appendOverflow(_ payload: inout [UInt8], _ first: Int, _ size: Int) -> Bool {
        var next = first
        var seen: Set<Int> = []
        while payload.count < size {
            guard next > 1, mayRead(next), seen.insert(next).inserted, let page = source.page(next) else {
                return false
            }
            payload += page[4..<min(source.usable, 4 + size - payload.count)]
            next = page.number(at: 0, bytes: 4)
        }
        return true
    }

    /// Text that is text; a number or a blob can hold anything.
    private static func isPlain(_ cell: StoredCell) -> Bool {
        guard case .text(let bytes) = cell else { return true }
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        return bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }
}
