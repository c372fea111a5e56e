/// `pickup_type` and `drop_off_type` of a call in one number.
enum Boarding {
    static func packed(pickup: UInt8, dropOff: UInt8) -> UInt8 { pickup | dropOff << 2 }
    static func pickup(_ packed: Int32) -> Int64 { Int64(packed & 3) }
    static func dropOff(_ packed: Int32) -> Int64 { Int64(packed >> 2) }
}

/// The rows of stop_times.txt that were kept, as columns: 37 bytes a row, in the order of the file.
struct StopTimeColumns {
    var trip: [Int32] = []
    var stop: [Int32] = []
    var sequence: [Int32] = []
    /// Seconds of the service day, −1 for none.
    var arrival: [Int32] = []
    var departure: [Int32] = []
    /// Distance along the shape in whatever unit, not a number for none.
    var distance: [Double] = []
    /// `pickup_type` and `drop_off_type`, packed.
    var boarding: [UInt8] = []
    var headsign: [Int32] = []
    var line: [Int32] = []

    var count: Int { trip.count }

    /// The rows grouped by trip, each trip's by stop_sequence. The input may be in any order.
    ///
    /// Returns the order and the start of each trip's rows in it; trip `t` has `starts[t]..<starts[t + 1]`.
    func byTrip(trips: Int) -> (order: [Int32], starts: [Int]) {
        var starts = [Int](repeating: 0, count: trips + 1)
        for index in trip { starts[Int(index) + 1] += 1 }
        for index in 0..<trips { starts[index + 1] += starts[index] }
        var next = starts
        var order = [Int32](repeating: 0, count: count)
        for row in 0..<count {
            let index = Int(trip[row])
            order[next[index]] = Int32(row)
            next[index] += 1
        }
        for index in 0..<trips {
            let range = starts[index]..<starts[index + 1]
            let isSorted = range.dropFirst().allSatisfy {
                sequence[Int(order[$0 - 1])] <= sequence[Int(order[$0])]
            }
            if isSorted { continue }
            order[range].sort { left, right in
                let (a, b) = (sequence[Int(left)], sequence[Int(right)])
                return a == b ? left < right : a < b
            }
        }
        return (order, starts)
    }
}
