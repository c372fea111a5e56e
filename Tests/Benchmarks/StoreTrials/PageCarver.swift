/// Reads the rows of a table from the leaves of a file, one page at a time, by SQLite's description of its file format alone
/// (https://www.sqlite.org/fileformat2.html). It knows the page size and the number of columns, and shares no code with
/// the repair that it judges.
struct PageCarver {
    /// A value of a row.
    enum Cell: Hashable {
        case null
        /// A number; SQLite stores a REAL without a fraction as an integer.
        case number(Double)
        case text([UInt8])
        case blob([UInt8])
    }

    /// A row.
    struct Row: Hashable {
        let number: Int64
        let cells: [Cell]
    }

    let bytes: [UInt8]
    let pageSize: Int
    let columns: Int
    /// The column that repeats the row's number, and is stored as NULL.
    let alias: Int?

    /// The rows on all leaves.
    func rows() -> Set<Row> {
        var rows: Set<Row> = []
        for start in stride(from: pageSize, to: bytes.count - pageSize + 1, by: pageSize)
        where bytes[start] == 13 {
            let count = min(big(start + 3, 2), (pageSize - 8) / 2)
            for index in 0..<count {
                let offset = big(start + 8 + 2 * index, 2)
                if offset >= 8 + 2 * count, offset < pageSize, let row = row(start, offset) {
                    rows.insert(row)
                }
            }
        }
        return rows
    }

    private func row(_ page: Int, _ offset: Int) -> Row? {
        var at = page + offset
        guard let size = varint(&at), let number = varint(&at), size > 0, size <= bytes.count,
            let payload = payload(page, at, Int(size))
        else { return nil }
        var place = 0
        guard let header = varint(&place, payload), header <= size else { return nil }
        var types: [Int64] = []
        while place < Int(header) {
            guard let type = varint(&place, payload), type >= 0, type != 10, type != 11 else { return nil }
            types.append(type)
        }
        guard place == Int(header), types.count == columns else { return nil }
        var cells: [Cell] = []
        for (index, type) in types.enumerated() {
            let length = Self.length(type)
            guard place + length <= payload.count else { return nil }
            let part = Array(payload[place..<place + length])
            place += length
            let cell = Self.cell(type, part)
            cells.append(index == alias && cell == .null ? .number(Double(number)) : cell)
        }
        return place == payload.count ? Row(number: number, cells: cells) : nil
    }

    private func payload(_ page: Int, _ at: Int, _ size: Int) -> [UInt8]? {
        let most = pageSize - 35
        if size <= most { return at + size <= page + pageSize ? Array(bytes[at..<at + size]) : nil }
        let least = (pageSize - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (pageSize - 4)
        let local = rest <= most ? rest : least
        guard at + local + 4 <= page + pageSize else { return nil }
        var payload = Array(bytes[at..<at + local])
        var next = big(at + local, 4)
        var steps = 0
        while payload.count < size {
            steps += 1
            guard next > 1, next * pageSize <= bytes.count, steps <= bytes.count / pageSize else {
                return nil
            }
            let start = (next - 1) * pageSize
            payload += bytes[start + 4..<start + 4 + min(pageSize - 4, size - payload.count)]
            next = big(start, 4)
        }
        return payload
    }

    private static func length(_ type: Int64) -> Int {
        let fixed = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0]
        return type < 12 ? fixed[Int(type)] : Int(clamping: (type - 12) / 2)
    }

    private static func cell(_ type: Int64, _ bytes: [UInt8]) -> Cell {
        switch type {
        case 0: return .null
        case 8: return .number(0)
        case 9: return .number(1)
        case 7: return .number(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        case 1...6:
            let negative = (bytes.first ?? 0) >= 0x80
            return .number(Double(bytes.reduce(negative ? Int64(-1) : 0) { $0 << 8 | Int64($1) }))
        default: return type % 2 == 0 ? .blob(bytes) : .text(bytes)
        }
    }

    private func big(_ at: Int, _ width: Int) -> Int {
        bytes[at..<at + width].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ at: inout Int) -> Int64? { varint(&at, bytes) }

    private func varint(_ at: inout Int, _ bytes: [UInt8]) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard at < bytes.count else { return nil }
            let byte = bytes[at]
            at += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 127)
            if byte < 128 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
