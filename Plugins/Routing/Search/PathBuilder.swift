import Geodesy

/// Converts the result of a search to a path with its line and sums.
struct PathBuilder {
    private let weighted: WeightedGraph
    private var graph: RoutingGraph { weighted.graph }

    init(_ weighted: WeightedGraph) { self.weighted = weighted }

    /// The path over legs, each a list of travelled edges between two stops.
    func path(legs: [[PathEdge]], stops: [SnappedPoint], settled: Int) -> GraphPath {
        var edges: [PathEdge] = []
        var viaEdges: [Int] = []
        for (index, leg) in legs.enumerated() {
            var leg = leg[...]
            if index > 0 { viaEdges.append(edges.count) }
            // A via point in the middle of an edge does not split the edge.
            if index > 0, let last = edges.last, let next = leg.first, next.edge == last.edge,
                next.isReversed == last.isReversed, next.enter == last.leave, last.leave < 1
            {
                edges[edges.count - 1].leave = next.leave
                viaEdges[viaEdges.count - 1] = edges.count - 1
                leg = leg.dropFirst()
            }
            edges += leg
        }
        return path(edges: edges, viaEdges: viaEdges, stops: stops, settled: settled)
    }

    private func path(
        edges: [PathEdge], viaEdges: [Int], stops: [SnappedPoint], settled: Int
    ) -> GraphPath {
        var (distance, cost, seconds) = (0.0, 0.0, 0.0)
        var line: [Coordinate] = []
        line.reserveCapacity(
            edges.reduce(1) { $0 + graph.firstPoint.part($1.edge).count + 1 })
        for piece in edges {
            distance += graph.length(of: piece)
            cost += weighted.cost(of: piece)
            seconds += weighted.seconds(of: piece)
            graph.append(piece, to: &line)
        }
        if line.isEmpty, let stop = stops.first { line = [stop.point] }
        var climb = ClimbMeter()
        for point in line { if let height = point.altitude { climb.add(height) } }
        return GraphPath(
            edges: edges, viaEdges: viaEdges, stops: stops, coordinates: line, distance: distance, cost: cost,
            duration: seconds, gain: climb.sums.gain, loss: climb.sums.loss,
            settled: settled, mode: weighted.profile.mode)
    }
}

extension RoutingGraph {
    /// The line of a travelled piece of an edge, in the direction of travel, both ends included.
    package func line(of piece: PathEdge) -> [Coordinate] {
        if let walk = piece.walk { return walk.line }
        let whole = line(of: piece.edge, isReversed: piece.isReversed)
        guard piece.enter > 0 || piece.leave < 1 else { return whole }
        let along = Polyline.cumulativeDistances(whole)
        let length = along.last ?? 0
        let (from, to) = (piece.enter * length, piece.leave * length)
        var line = [Self.point(whole, along, from)]
        for index in whole.indices where along[index] > from && along[index] < to {
            line.append(whole[index])
        }
        line.append(Self.point(whole, along, to))
        return line
    }

    /// Appends the line of a piece, without repeating its first point.
    func append(_ piece: PathEdge, to line: inout [Coordinate]) {
        guard piece.walk == nil, piece.enter <= 0, piece.leave >= 1 else {
            let points = self.line(of: piece)
            line.append(contentsOf: line.isEmpty ? points[...] : points.dropFirst())
            return
        }
        if line.isEmpty { line.append(coordinate(of: startNode(of: piece))) }
        let inner = firstPoint.part(piece.edge)
        for step in 0..<inner.count {
            let index = piece.isReversed ? inner.upperBound - 1 - step : inner.lowerBound + step
            line.append(points[index].coordinate)
        }
        line.append(coordinate(of: endNode(of: piece)))
    }

    /// The point at a distance along a line.
    private static func point(_ line: [Coordinate], _ along: [Double], _ distance: Double) -> Coordinate {
        let next = along.firstIndex { $0 >= distance } ?? line.count - 1
        guard next > 0 else { return line[0] }
        let length = along[next] - along[next - 1]
        return line[next - 1].interpolated(
            to: line[next], share: length > 0 ? (distance - along[next - 1]) / length : 1)
    }

    /// The end node of a piece of an edge when the whole edge is travelled.
    func endNode(of piece: PathEdge) -> Int {
        Int(piece.isReversed ? source[piece.edge] : target[piece.edge])
    }

    /// The start node of a piece of an edge when the whole edge is travelled.
    func startNode(of piece: PathEdge) -> Int {
        Int(piece.isReversed ? target[piece.edge] : source[piece.edge])
    }
}
