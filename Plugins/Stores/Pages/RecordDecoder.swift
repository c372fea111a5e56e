import TrailStores

/// Decodes records: a header of serial types, then the values.
enum RecordDecoder {
    /// The cells of a record; `nil` if it is inconsistent. `isWhole` is false if its bytes end early: then
    /// the complete cells are returned.
    static func cells(_ payload: [UInt8], encoding: Int) -> (cells: [StoredCell], isWhole: Bool)? {
        guard let (headerSize, first) = payload.variable(at: 0), headerSize >= Int64(first),
            headerSize <= Int64(payload.count)
        else { return nil }
        let end = Int(headerSize)
        var types: [Int64] = []
        var index = first
        while index < end {
            guard let (type, length) = payload.variable(at: index), type >= 0, type != 10, type != 11 else {
                return nil
            }
            types.append(type)
            index += length
        }
        guard index == end else { return nil }
        var cells: [StoredCell] = []
        var offset = end
        for type in types {
            let size = size(of: type)
            guard size <= payload.count - offset else { return (cells, false) }
            cells.append(cell(type, payload, offset, size, encoding))
            offset += size
        }
        return (cells, true)
    }

    static func size(of type: Int64) -> Int {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        // Larger than any payload; clamping prevents an overflow by a hostile type.
        default: Int(clamping: (type - 12) / 2)
        }
    }

    private static func cell(
        _ type: Int64, _ payload: [UInt8], _ offset: Int, _ size: Int, _ encoding: Int
    ) -> StoredCell {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 1...6:
            let start: Int64 = payload[offset] & 0x80 == 0 ? 0 : -1
            return .integer(payload[offset..<offset + size].reduce(start) { $0 << 8 | Int64($1) })
        case 7:
            let bits = payload[offset..<offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let number = Double(bitPattern: bits)
            return number.isNaN ? .null : .real(number)
        case let type where type % 2 == 0: return .blob(Array(payload[offset..<offset + size]))
        default: return .text(text(payload[offset..<offset + size], encoding))
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ encoding: Int) -> [UInt8] {
        if encoding == 1 { return Array(bytes) }
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        let units = pairs.map { index -> UInt16 in
            let (low, high) =
                encoding == 2 ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
