/// The lines of some days as flat lists: a search goes through thousands of them, and an array for each would cost more than it.
struct LineTable: Sendable {
    /// A call of a line; times are seconds after its runs start.
    struct Call: Sendable {
        var stop: Int32
        var arrival: Int32
        var departure: Int32
        var boards: Bool
        var alights: Bool
    }

    /// Which call of which line.
    struct CallPlace: Sendable {
        var line: Int32
        var position: Int32
    }

    private(set) var calls: [Call] = []
    private(set) var starts: [Int] = []
    /// Where the calls and the starts of each line end.
    private var callEnds: [Int32] = [0]
    private var startEnds: [Int32] = [0]
    /// The calls by stops.
    private var places: [CallPlace] = []
    private var placeEnds: [Int32] = [0]

    init() {}

    init(_ lines: [JourneyDays.Line], stops: Int) {
        var counts = [Int32](repeating: 0, count: stops + 1)
        for line in lines {
            for call in line.stops.indices {
                calls.append(
                    Call(
                        stop: line.stops[call], arrival: Int32(clamping: line.arrivals[call]),
                        departure: Int32(clamping: line.departures[call]), boards: line.boards[call],
                        alights: line.alights[call]))
                counts[Int(line.stops[call]) + 1] += 1
            }
            starts += line.starts
            callEnds.append(Int32(calls.count))
            startEnds.append(Int32(starts.count))
        }
        for stop in 0..<stops { counts[stop + 1] += counts[stop] }
        placeEnds = counts
        places = Array(repeating: CallPlace(line: 0, position: 0), count: calls.count)
        for (number, line) in lines.enumerated() {
            for (position, stop) in line.stops.enumerated() {
                places[Int(counts[Int(stop)])] = CallPlace(line: Int32(number), position: Int32(position))
                counts[Int(stop)] += 1
            }
        }
    }

    /// Where the calls of a line are.
    func calls(_ line: Int) -> Range<Int> { Int(callEnds[line])..<Int(callEnds[line + 1]) }

    /// Where the starts of a line's runs are.
    func starts(_ line: Int) -> Range<Int> { Int(startEnds[line])..<Int(startEnds[line + 1]) }

    /// The calls at a stop.
    func calls(at stop: Int) -> ArraySlice<CallPlace> {
        places[Int(placeEnds[stop])..<Int(placeEnds[stop + 1])]
    }
}
