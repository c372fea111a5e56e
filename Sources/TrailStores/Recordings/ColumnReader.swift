/// Reads the output of `ColumnWriter` and of its first version.
///
/// Version 1 has no scales, planes and first words: a column consists of the differences of the numbers'
/// bits, in eight planes.
struct ColumnReader {
    private let bytes: [UInt8]
    private let version: Int
    private var position = 1

    /// `nil` for another version.
    init?(_ bytes: [UInt8]) {
        guard let version = bytes.first.map(Int.init), RecordingSettings.versions.contains(version) else {
            return nil
        }
        self.bytes = bytes
        self.version = version
    }

    /// The numbers of points by segment; `nil` if there are too few bytes for that many.
    mutating func counts() -> [Int]? {
        guard let count = integer(UInt32.self), count <= bytes.count else { return nil }
        var counts: [Int] = []
        var total = 0
        for _ in 0..<count {
            guard let number = integer(UInt32.self) else { return nil }
            counts.append(Int(number))
            total += Int(number)
        }
        // Latitude and longitude take a byte each in a plane, a word each in version 1.
        let least = version == 1 ? 16 : 2
        // The first value of a column is not in the planes.
        guard total <= bytes.count / least + 1, total <= RecordingSettings.mostPoints else { return nil }
        return counts
    }

    /// The bits of a column with this number of values; empty if none is known, `nil` if bytes are
    /// missing.
    mutating func column(_ count: Int, isTime: Bool) -> [UInt64?]? {
        guard let kind = integer(UInt8.self), kind <= 2 else { return nil }
        if kind == 0 { return [] }
        var bitmap: ArraySlice<UInt8>?
        var known = count
        if kind == 2 {
            guard let slice = take((count + 7) / 8) else { return nil }
            known = slice.reduce(0) { $0 + $1.nonzeroBitCount }
            bitmap = slice
        }
        guard known <= count, let words = version == 1 ? plainWords(known) : words(known, isTime: isTime)
        else {
            return nil
        }
        guard let bitmap else { return words }
        var next = words.makeIterator()
        return (0..<count).map { index in
            bitmap[bitmap.startIndex + index / 8] & 1 << (index % 8) != 0 ? next.next() ?? nil : nil
        }
    }

    private mutating func words(_ count: Int, isTime: Bool) -> [UInt64?]? {
        var scale = ColumnScale.none
        if !isTime {
            guard let known = integer(UInt8.self).flatMap(ColumnScale.init(byte:)) else { return nil }
            scale = known
        }
        guard let planes = integer(UInt8.self), planes <= 8, var word = integer(UInt64.self), count > 0,
            let steps = self.planes(Int(planes), of: count - 1)
        else { return nil }
        var bits: [UInt64?] = [scale.bits(word)]
        bits.reserveCapacity(count)
        for step in steps {
            word = word &+ Zigzag.decoded(step)
            bits.append(scale.bits(word))
        }
        return bits
    }

    private mutating func plainWords(_ count: Int) -> [UInt64?]? {
        var word: UInt64 = 0
        return planes(8, of: count)?.map { step in
            word = word &+ step
            return word
        }
    }

    /// Numbers in planes of bytes.
    private mutating func planes(_ planes: Int, of count: Int) -> [UInt64]? {
        guard let slice = take(planes * count) else { return nil }
        return slice.withUnsafeBufferPointer { slice in
            (0..<count).map { index in
                (0..<planes).reduce(0) { $0 | UInt64(slice[$1 * count + index]) << UInt64(8 * $1) }
            }
        }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        take(MemoryLayout<Number>.size)?.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
