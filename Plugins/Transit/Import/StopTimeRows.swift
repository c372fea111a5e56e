/// `pickup_type` and `drop_off_type` of a call in one number.
enum Boarding {
    /// The values of `pickup_type` and `drop_off_type`.
    static let types = 0...3
    /// No boarding, or no alighting.
    static let none = 1
    /// The feed has a type that the format does not have: whether one may is unknown.
    static let unknown: UInt8 = 4

    /// The type of a field, 0 for an empty one; `nil` for a value that the format does not have.
    @inline(__always)
    static func type(_ field: FieldBytes, isLenient: Bool) -> UInt8? {
        if field.isEmpty { return 0 }
        if field.count == 1, field[0] >= 0x30, field[0] <= 0x33 { return field[0] - 0x30 }
        guard isLenient, let type = LooseField.integer(field), types.contains(type) else { return nil }
        return UInt8(type)
    }

    /// Three bits for each.
    static func packed(pickup: UInt8, dropOff: UInt8) -> UInt8 { pickup | dropOff << 3 }
    static func pickup(_ packed: Int32) -> Int64 { Int64(packed & 7) }
    static func dropOff(_ packed: Int32) -> Int64 { Int64(packed >> 3 & 7) }

    /// `pickup_type` in a word; databases of apps may have types that the format does not have.
    static func pickupWord(_ type: Int) -> String {
        switch type {
        case 0: "yes"
        case 1: "no"
        case 2: "by phone"
        case 3: "ask driver"
        default: "unknown"
        }
    }

    /// What riders have to know of a call, with what alighting needs.
    static func note(_ note: String?, dropOff: Int, isFirst: Bool) -> String? {
        let alight =
            isFirst ? nil : dropOff == none ? "no alighting" : words(pickup: 0, dropOff: dropOff).first
        let parts = [alight, note].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What boarding and alighting need beyond being there.
    static func words(pickup: Int, dropOff: Int) -> [String] {
        let board: String? =
            switch pickup {
            case 2: "phone the agency before boarding"
            case 3: "ask the driver to board"
            default: nil
            }
        let alight: String? =
            switch dropOff {
            case 2: "phone the agency to alight"
            case 3: "tell the driver where to alight"
            default: nil
            }
        return [board, alight].compactMap(\.self)
    }
}

/// A row of stop_times.txt that was kept: 40 bytes.
struct StopTimeRow {
    /// Distance along the shape in the feed's unit; NaN if empty.
    var distance: Double
    var trip: Int32
    var stop: Int32
    var sequence: Int32
    /// Seconds of the service day, −1 if empty.
    var arrival: Int32
    var departure: Int32
    var headsign: Int32
    var line: Int32
    /// `pickup_type` and `drop_off_type`, packed.
    var boarding: UInt8
    /// What riders have to know of the call, a number in `FeedContent.callNotes`; −1 for nothing.
    var note: Int16 = -1
}

/// The rows of stop_times.txt that were kept, in the order of the file.
struct StopTimeRows {
    var rows: [StopTimeRow] = []

    var count: Int { rows.count }

    @inline(__always)
    subscript(_ row: Int) -> StopTimeRow { rows[row] }

    /// The rows grouped by trip, each trip's by stop_sequence. The input may be in any order.
    ///
    /// Returns the order and the start of each trip's rows in it; trip `t` has `starts[t]..<starts[t + 1]`.
    func byTrip(trips: Int) -> (order: [Int32], starts: [Int]) {
        var starts = [Int](repeating: 0, count: trips + 1)
        for row in rows { starts[Int(row.trip) + 1] += 1 }
        for index in 0..<trips { starts[index + 1] += starts[index] }
        var next = starts
        var order = [Int32](repeating: 0, count: count)
        for row in 0..<count {
            let index = Int(rows[row].trip)
            order[next[index]] = Int32(row)
            next[index] += 1
        }
        for index in 0..<trips {
            let range = starts[index]..<starts[index + 1]
            let isSorted = range.dropFirst().allSatisfy {
                rows[Int(order[$0 - 1])].sequence <= rows[Int(order[$0])].sequence
            }
            if isSorted { continue }
            order[range].sort { left, right in
                let (a, b) = (rows[Int(left)].sequence, rows[Int(right)].sequence)
                return a == b ? left < right : a < b
            }
        }
        return (order, starts)
    }
}
