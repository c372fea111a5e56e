/// The lines of some days as flat lists: a search visits thousands of them, and an array for each would
/// dominate its cost.
struct LineTable: Sendable {
    /// A call of a line; times are seconds after its runs start.
    struct Call: Sendable {
        var stop: Int32
        var arrival: Int32
        var departure: Int32
        var boards: Bool
        var alights: Bool
    }

    /// The index of a line and of a call in it.
    struct CallPlace: Sendable {
        var line: Int32
        var position: Int32
    }

    private var calls: [Call] = []
    private var starts: [Int] = []
    /// The end offsets of the calls and the starts of each line.
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

    /// The calls and starts of all lines, and their end offsets.
    @inline(__always)
    func withCalls(
        _ body: (
            _ calls: UnsafePointer<Call>, _ callEnds: UnsafePointer<Int32>, _ starts: UnsafePointer<Int>,
            _ startEnds: UnsafePointer<Int32>
        ) -> Void
    ) {
        calls.withUnsafeBufferPointer { calls in
            callEnds.withUnsafeBufferPointer { callEnds in
                starts.withUnsafeBufferPointer { starts in
                    startEnds.withUnsafeBufferPointer { startEnds in
                        // Without lines there is nothing to search.
                        guard let calls = calls.baseAddress, let starts = starts.baseAddress,
                            let callEnds = callEnds.baseAddress, let startEnds = startEnds.baseAddress
                        else { return }
                        body(calls, callEnds, starts, startEnds)
                    }
                }
            }
        }
    }

    /// The calls of all stops, and their end offsets.
    @inline(__always)
    func withPlaces(_ body: (_ places: UnsafePointer<CallPlace>, _ ends: UnsafePointer<Int32>) -> Void) {
        places.withUnsafeBufferPointer { places in
            placeEnds.withUnsafeBufferPointer { ends in
                guard let places = places.baseAddress, let ends = ends.baseAddress else { return }
                body(places, ends)
            }
        }
    }

    /// The calls at a stop.
    func calls(at stop: Int) -> ArraySlice<CallPlace> {
        places[Int(placeEnds[stop])..<Int(placeEnds[stop + 1])]
    }
}
