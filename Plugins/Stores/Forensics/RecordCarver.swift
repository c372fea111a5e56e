import TrailStores

/// Finds records in bytes that no tree uses: free blocks and gaps of pages, free pages, overwritten pages of
/// a log. A freed cell keeps its bytes, except that SQLite writes four bytes over its start when it becomes a
/// free block (https://www.sqlite.org/fileformat2.html#b_tree_pages). The table determines the possible form
/// of a record.
struct RecordCarver {
    /// The confidence that a record was a row as shown.
    enum Confidence: String, Sendable, CaseIterable {
        /// The whole cell is intact, including its number.
        case high
        /// Its start was overwritten: all values are intact, its number may be lost.
        case medium
        /// A value is cut off, or the record matches several tables.
        case low
    }

    /// A recovered record.
    struct Found {
        let entry: TreeWalk.Entry
        let confidence: Confidence
        /// Its range in the bytes.
        let range: Range<Int>
    }

    /// The form of a table's records.
    struct Shape {
        /// The declared types of the stored cells.
        let affinities: [ColumnAffinity]
        /// Which of them must not be NULL.
        let required: [Bool]
        /// The cell that is an alias of the row number, stored as NULL.
        let alias: Int?
        /// Minimum number of cells: records written before the last column was added have fewer.
        let fewest: Int
    }

    let shape: Shape
    let source: any PageSource
    /// Whether an overflow page is unused elsewhere and may be read.
    let mayRead: (Int) -> Bool

    /// The records in a free region of a page, in order. Complete cells first. Between them, a free block may
    /// contain cells whose start was overwritten: SQLite joins a block with its neighbours, so that one block
    /// contains several consecutive cells. The gap before a page's cells mostly has complete copies of rows
    /// that were moved; without their start they would look like rows.
    func records(in page: [UInt8], _ region: Range<Int>, isBlock: Bool) -> [Found] {
        var found: [Found] = []
        // The first four bytes of a free block belong to its header.
        var offset = region.lowerBound + (isBlock ? 4 : 0)
        while offset + Self.smallest <= region.upperBound {
            if let record = completeRecord(page, offset, region.upperBound) {
                found.append(record)
                offset = record.range.upperBound
            } else {
                offset += 1
            }
        }
        guard isBlock else { return found }
        var partial: [Found] = []
        var start = region.lowerBound
        for next in found.map(\.range) + [region.upperBound..<region.upperBound] {
            partial += partialRecords(in: page, start..<next.lowerBound, isFirst: start == region.lowerBound)
            start = next.upperBound
        }
        return (found + partial).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Size of the smallest cell that SQLite frees separately.
    private static let smallest = 4
    /// Number of columns from which a header is unlikely to be a coincidence.
    private static let distinct = 4

    /// Consecutive cells whose start was overwritten. The first is at the start of the block; the others must
    /// have a complete header.
    private func partialRecords(in page: [UInt8], _ range: Range<Int>, isFirst: Bool) -> [Found] {
        var found: [Found] = []
        var offset = range.lowerBound
        while offset + Self.smallest < range.upperBound {
            let isAnchored = isFirst && offset == range.lowerBound
            if isAnchored || shape.affinities.count >= Self.distinct,
                let record = partialRecord(page, offset..<range.upperBound, infersFirst: isAnchored)
            {
                found.append(record)
                offset = record.range.upperBound
            } else {
                offset += 1
            }
        }
        return found
    }

    /// A complete cell of a table at an offset.
    private func completeRecord(_ page: [UInt8], _ offset: Int, _ end: Int) -> Found? {
        guard let (size, sizeLength) = page.variable(at: offset), size > 1,
            size < Int64(source.count * source.pageSize),
            let (number, numberLength) = page.variable(at: offset + sizeLength), number > 0
        else { return nil }
        return record(
            page, offset, header: offset + sizeLength + numberLength, size: Int(size), number: number, end,
            .high)
    }

    /// A cell whose first four bytes are overwritten: its sizes are derived from the rest of its header. The
    /// block is as long as the cell, or longer if neighbours were freed too; a candidate that fills it is
    /// preferred.
    private func partialRecord(_ page: [UInt8], _ region: Range<Int>, infersFirst: Bool) -> Found? {
        let start = region.lowerBound
        var best: Found?
        for lengths in Self.prefixes {
            let header = start + lengths.size + lengths.number
            // The alias of the row number is stored as NULL; any other first column's type is only known from
            // its size.
            guard header < region.upperBound, infersFirst || header - start > 2 || shape.alias == 0 else {
                continue
            }
            guard let candidate = guess(page, start, lengths, header, region.upperBound) else { continue }
            if candidate.range.upperBound == region.upperBound { return candidate }
            if best == nil { best = candidate }
        }
        return best
    }

    /// Possible sizes of the payload's size and the row number in bytes, the most common first.
    private static let prefixes: [(size: Int, number: Int)] = [
        (2, 2), (2, 1), (1, 2), (1, 1), (2, 3), (1, 3), (3, 2), (3, 3), (3, 1), (1, 4), (2, 4), (3, 4),
        (1, 5), (2, 5),
    ]

    private func guess(
        _ page: [UInt8], _ start: Int, _ lengths: (size: Int, number: Int), _ header: Int, _ end: Int
    ) -> Found? {
        let lost = start + 4 - header
        // The header's length takes one byte for up to a hundred columns, and is followed by the types.
        for count in stride(from: shape.affinities.count, through: shape.fewest, by: -1) {
            guard let types = types(page, header + 1, count, overwritten: max(0, lost - 1), end) else {
                continue
            }
            let headerSize = 1 + types.length
            if lost <= 0, page[header] != UInt8(truncatingIfNeeded: headerSize) { continue }
            guard headerSize < 128 else { continue }
            var values = types.values
            if let missing = types.missing, missing != shape.alias {
                // The size of the block determines the length of the one value of unknown type.
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

    /// The serial types of a header, one of which may be overwritten; `nil` if they do not match the table.
    private func types(
        _ page: [UInt8], _ offset: Int, _ count: Int, overwritten: Int, _ end: Int
    ) -> (values: [Int64], length: Int, missing: Int?)? {
        guard overwritten <= 1 else { return nil }
        var values: [Int64] = []
        var index = offset
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
        return (values, index - offset, missing)
    }

    private func isFitting(_ type: Int64, _ column: Int) -> Bool {
        guard shape.affinities[column].accepts(type) else { return false }
        if column == shape.alias { return type == 0 }
        return type != 0 || !shape.required[column]
    }

    private static func type(of bytes: Int, _ affinity: ColumnAffinity, _ isAlias: Bool) -> Int64? {
        guard bytes >= 0 else { return nil }
        if isAlias { return bytes == 0 ? 0 : nil }
        switch affinity {
        case .text: return Int64(13 + 2 * bytes)
        case .integer: return [0: 8, 1: 1, 2: 2, 3: 3, 4: 4, 6: 5, 8: 6][bytes]
        case .real: return bytes == 8 ? 7 : nil
        case .blob, .numeric: return Int64(12 + 2 * bytes)
        }
    }

    /// The row number, if its bytes were not overwritten.
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

    /// Decodes a record whose header begins at an offset, and checks whether it can belong to the table.
    private func record(
        _ page: [UInt8], _ start: Int, header: Int, size: Int, number: Int64?, _ end: Int,
        _ confidence: Confidence,
        replacing fixed: [UInt8]? = nil
    ) -> Found? {
        let local = localSize(size)
        guard header + local + (local < size ? 4 : 0) <= end else { return nil }
        // The header quickly rules out most offsets.
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

    /// The total size derived from a header, if its types match the table.
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

    /// Follows a chain of unused overflow pages; `false` if it is interrupted.
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

    /// Whether text is plausible; numbers and blobs always are.
    private static func isPlain(_ cell: StoredCell) -> Bool {
        guard case .text(let bytes) = cell else { return true }
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        return bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }
}

extension ColumnAffinity {
    /// Whether a cell of this column can have a serial type. Columns without a type accept all.
    fileprivate func accepts(_ type: Int64) -> Bool {
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
