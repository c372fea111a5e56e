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
    struct CallIndex: Sendable {
        var line: Int32
        var position: Int32
    }

    private var calls: [Call] = []
    private var starts: [Int] = []
    /// The end offsets of the calls and the starts of each line.
    private var callEnds: [Int32] = [0]
    private var startEnds: [Int32] = [0]
    /// The calls by stops.
    private var indices: [CallIndex] = []
    private var indexEnds: [Int32] = [0]

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
        indexEnds = counts
        indices = Array(repeating: CallIndex(line: 0, position: 0), count: calls.count)
        for (number, line) in lines.enumerated() {
            for (position, stop) in line.stops.enumerated() {
                indices[Int(counts[Int(stop)])] = CallIndex(line: Int32(number), position: Int32(position))
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
    func withCallIndices(_ body: (UnsafePointer<CallIndex>, _ ends: UnsafePointer<Int32>) -> Void) {
        indices.withUnsafeBufferPointer { indices in
            indexEnds.withUnsafeBufferPointer { ends in
                guard let indices = indices.baseAddress, let ends = ends.baseAddress else { return }
                body(indices, ends)
            }
        }
    }

    /// The calls at a stop.
    func calls(at stop: Int) -> ArraySlice<CallIndex> {
        indices[Int(indexEnds[stop])..<Int(indexEnds[stop + 1])]
    }
}
