import COsmium

/// The texts from the reader, converted to strings on demand.
struct OSMTexts {
    private let ways: cosm_ways

    init(_ ways: cosm_ways) { self.ways = ways }

    /// The values of the keys that a way shares with others of its class.
    func values(of way: Int, count: Int) -> [String?] {
        let start = Int(ways.classes[way]) * count
        return (start..<start + count).map { self[ways.values[$0]] }
    }

    /// The numbers of the texts of the way's individual keys.
    func own(of way: Int, count: Int) -> UnsafeBufferPointer<Int32> {
        UnsafeBufferPointer(start: ways.own_values + way * count, count: count)
    }

    subscript(_ index: Int32) -> String? {
        guard index >= 0 else { return nil }
        let (start, end) = (ways.first_byte[Int(index)], ways.first_byte[Int(index) + 1])
        let bytes = UnsafeRawBufferPointer(start: ways.bytes + Int(start), count: Int(end - start))
        return String(decoding: bytes, as: UTF8.self)
    }
}
