import Geodesy

/// The order in which the line of a track passes places.
struct OrderOnLine {
    /// An order of places.
    enum Order: Sendable, Hashable {
        /// The line passes them as they are written, or there is no line.
        case asWritten
        /// The indexes in the order of the line.
        case along([Int])
        /// They are not in order, and some are not at the line, or where it passes twice.
        case unclear
    }

    /// The order of the places.
    let order: Order

    /// Metres from the line within which it passes a place, and along it between two passes.
    private static let beside = 100.0
    private static let apart = 200.0

    init(_ places: [Coordinate], _ line: [Coordinate]) {
        guard line.count > 1 else {
            order = .asWritten
            return
        }
        let along = Polyline.cumulativeDistances(line)
        let passes = places.map { Self.passes($0, line, along) }
        var least = 0.0
        let isInOrder = passes.filter { !$0.isEmpty }.allSatisfy { passes in
            guard let next = passes.first(where: { $0 >= least }) else { return false }
            least = next
            return true
        }
        if isInOrder {
            order = .asWritten
        } else if passes.allSatisfy({ $0.count == 1 }) {
            order = .along(places.indices.sorted { (passes[$0][0], $0) < (passes[$1][0], $1) })
        } else {
            order = .unclear
        }
    }

    /// Metres from the start of the line to where it passes a place.
    private static func passes(_ coordinate: Coordinate, _ line: [Coordinate], _ along: [Double]) -> [Double]
    {
        let plane = LocalPlane(at: coordinate)
        var passes: [(along: Double, square: Double)] = []
        for (index, (from, to)) in zip(line, line.dropFirst()).enumerated() {
            let (square, share) = PlanePoint.nearest(from: plane.point(from), to: plane.point(to))
            guard square <= beside * beside else { continue }
            let distance = along[index] + share * (along[index + 1] - along[index])
            if let last = passes.last, distance - last.along < apart {
                if square < last.square { passes[passes.count - 1] = (distance, square) }
            } else {
                passes.append((distance, square))
            }
        }
        return passes.map(\.along)
    }
}
