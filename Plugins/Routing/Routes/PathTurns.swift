import Geodesy
import TurnInstructions

/// Converts a path through a graph to the legs and junctions of turn instructions.
package struct PathTurns {
    let graph: RoutingGraph
    let path: GraphPath

    /// The names of the via points, where known.
    var viaNames: [String?] = []

    package init(graph: RoutingGraph, path: GraphPath) {
        self.graph = graph
        self.path = path
    }

    /// The legs with their junctions, the ways that leave there, and the via points.
    package func turnPath() -> TurnPath {
        let pieces = cutAtVias()
        let trails = marks()
        let legs = pieces.map { leg($0.piece, trails) }
        let junctions = zip(pieces, pieces.dropFirst()).map { from, to in
            var junction = junction(from.piece, to.piece)
            junction.via = from.via
            return junction
        }
        return TurnPath(legs: legs, junctions: junctions)
    }

    /// The waymarks of the trails along the path, by their ids.
    private func marks() -> [Int64: TrailMark] {
        let used = Set(path.edges.flatMap { graph.trailIDs(of: $0.edge) })
        guard !used.isEmpty else { return [:] }
        let trails = graph.trails.lazy.filter { used.contains($0.id) }
        return Dictionary(
            trails.compactMap { trail in trail.mark.map { (trail.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The pieces of way, each with the via point that is reached at its end.
    private func cutAtVias() -> [(piece: PathEdge, via: TurnJunction.Via?)] {
        var pieces: [(piece: PathEdge, via: TurnJunction.Via?)] = []
        var next = 0
        func via() -> TurnJunction.Via {
            TurnJunction.Via(
                number: next, name: viaNames.indices.contains(next - 1) ? viaNames[next - 1] : nil)
        }
        for (index, edge) in path.edges.enumerated() {
            var rest = edge
            while next < path.viaEdges.count, path.viaEdges[next] == index {
                let stop = path.stops[next + 1]
                let at = edge.isReversed ? 1 - stop.fraction : stop.fraction
                next += 1
                if stop.edge == edge.edge, at > rest.enter, at < rest.leave {
                    var part = rest
                    part.leave = at
                    rest.enter = at
                    pieces.append((part, via()))
                } else if !pieces.isEmpty {
                    pieces[pieces.count - 1].via = via()
                }
            }
            if let last = pieces.last, last.via == nil, Self.goesOn(last.piece, rest) {
                pieces[pieces.count - 1].piece.leave = rest.leave
            } else {
                pieces.append((rest, nil))
            }
        }
        return pieces
    }

    /// The OSM ids of the junctions on the path, including its ends if they are junctions.
    var nodes: [Int] {
        let pieces = Self.joined(path.edges)
        var nodes: [Int] = []
        if let first = pieces.first, first.enter == 0, let node = graph.tail(of: first) { nodes.append(node) }
        for piece in pieces where piece.leave == 1 {
            if let node = graph.head(of: piece) { nodes.append(node) }
        }
        // The copies of a node at an obstacle stand for that node.
        let ids = nodes.map { Int(RegionNetwork.original(graph.nodeID[$0])) }
        return zip(ids, [nil] + ids.map(Optional.some)).compactMap { $0 == $1 ? nil : $0 }
    }

    /// Metres climbed and descended between the ends of edges, ignoring the points in between; `nil` if a
    /// height is unknown.
    var climbOfEnds: (gain: Double, loss: Double)? {
        let whole = path.edges.filter { $0.enter == 0 && $0.leave == 1 && $0.walk == nil }
        let ends = whole.first.flatMap(graph.tail).map { [$0] } ?? []
        let heights =
            [path.coordinates.first?.altitude]
            + (ends + whole.compactMap(graph.head)).map { graph.elevation[$0].knownHeight }
            + [path.coordinates.last?.altitude]
        var sums = (gain: 0.0, loss: 0.0)
        for (from, to) in zip(heights, heights.dropFirst()) {
            guard let from, let to else { return nil }
            if to > from { sums.gain += to - from } else { sums.loss += from - to }
        }
        return sums
    }

    /// A kind of way with its cost, and whether a piece without length is worth a row: an obstacle or lift
    /// that costs time, or that causes a warning.
    private struct KnownKind {
        let kind: EdgeKind
        let cost: CostProfile.KindCost
        let restriction: String?
        let isNotable: Bool

        init(_ kind: EdgeKind, _ profile: CostProfile) {
            self.kind = kind
            cost = profile.kindCost(kind)
            restriction = profile.access(to: kind).restriction
            isNotable =
                (kind.obstacle != nil || kind.highway == "elevator")
                && (cost.fixed > 0 || restriction != nil
                    || profile.rules.contains { $0.warns && $0.holds(kind) })
        }
    }

    /// The pieces of way with their costs, without remainders from coordinates beside a junction and without
    /// obstacles that are passed freely.
    func edges(_ profile: CostProfile) -> [RouteEdge] {
        let all = Self.joined(path.edges)
        // A route has many edges of few kinds, and the rules of a profile take long to evaluate.
        var kinds: [Int32: KnownKind] = [:]
        func known(_ piece: PathEdge) -> KnownKind {
            let number = graph.kind[piece.edge]
            if let known = kinds[number] { return known }
            let made = KnownKind(graph.kind(of: piece.edge), profile)
            kinds[number] = made
            return made
        }
        let kept = all.filter {
            graph.length(of: $0) >= TurnSettings.shortestLeg || known($0).isNotable
        }
        return (kept.isEmpty ? all : kept).map { piece in
            let known = known(piece)
            let (kind, kindCost) = (known.kind, known.cost)
            let share = piece.share
            let (distance, gain, loss) = graph.measures(of: piece)
            let way = Int(graph.wayID[piece.edge])
            let doubts = [
                known.restriction, WalkersOneway.doubt(kind, profile.mode, isReversed: piece.isReversed),
            ]
            .compactMap(\.self)
            return RouteEdge(
                name: graph.name(of: piece.edge), highway: kind.highway, surface: kind.surface,
                sac: kind.sacScale,
                distance: distance * share, gain: gain * share, loss: loss * share,
                cost: share * profile.cost(distance: distance, gain: gain, loss: loss, kindCost),
                duration: share * profile.seconds(distance: distance, gain: gain, loss: loss, kindCost),
                way: way == 0 ? nil : way, kind: kind,
                restriction: doubts.isEmpty ? nil : doubts.joined(separator: ", "),
                hasHeights: piece.walk?.knowsHeights ?? graph.knowsHeights(of: piece.edge))
        }
    }

    /// The cost of the whole path by a profile, and its seconds, of which preferences are no part. Closed ways
    /// have an infinite cost and a finite time.
    func sums(_ profile: CostProfile) -> (cost: Double, seconds: Double) {
        var kinds: [Int32: CostProfile.KindCost] = [:]
        var sums = (cost: 0.0, seconds: 0.0)
        for piece in path.edges where piece.share > 0 {
            let number = graph.kind[piece.edge]
            let kind = kinds[number] ?? profile.kindCost(graph.kind(of: piece.edge))
            kinds[number] = kind
            let (distance, gain, loss) = graph.measures(of: piece)
            sums.cost += piece.share * profile.cost(distance: distance, gain: gain, loss: loss, kind)
            sums.seconds += piece.share * profile.seconds(distance: distance, gain: gain, loss: loss, kind)
        }
        return sums
    }

    /// Merges pieces of the same edge in the same direction that a via point separates.
    private static func joined(_ edges: [PathEdge]) -> [PathEdge] {
        var result: [PathEdge] = []
        for edge in edges {
            if let last = result.last, goesOn(last, edge) {
                result[result.count - 1].leave = edge.leave
            } else {
                result.append(edge)
            }
        }
        return result
    }

    /// Whether a piece continues on the rest of the same edge.
    private static func goesOn(_ piece: PathEdge, _ next: PathEdge) -> Bool {
        piece.walk == nil && next.walk == nil && piece.edge == next.edge
            && piece.isReversed == next.isReversed && piece.leave == next.enter
            && piece.leave < 1
    }

    private func leg(_ piece: PathEdge, _ trails: [Int64: TrailMark]) -> TurnLeg {
        let line = piece.walk?.line ?? graph.line(of: piece.edge, isReversed: piece.isReversed)
        let kind = graph.kind(of: piece.edge)
        return TurnLeg(
            PartialLine.part(of: line, from: piece.enter, to: piece.leave),
            name: graph.name(of: piece.edge).flatMap(WayNames.spoken),
            kind: WayKind(highway: kind.highway), isRoundabout: kind.isRoundabout,
            length: graph.length(of: piece), roadRank: kind.roadRank,
            trails: graph.trailIDs(of: piece.edge).compactMap { trails[$0] },
            ascends: kind.ascends(isReversed: piece.isReversed),
            leadsOut: leadsOut(kind, isReversed: piece.isReversed))
    }

    /// Whether vehicles may leave a roundabout by a way: a road that is not closed to the public and does not only lead in.
    private func leadsOut(_ kind: EdgeKind, isReversed: Bool) -> Bool {
        guard kind.roadRank > 0, !(isReversed && kind.isOneway) else { return false }
        return kind.tags.map { tags in !AccessRules.closes(tags["access"] ?? "yes") } ?? true
    }

    private func junction(_ incoming: PathEdge, _ outgoing: PathEdge) -> TurnJunction {
        guard incoming.leave == 1, outgoing.enter == 0, let node = graph.head(of: incoming) else {
            return TurnJunction()
        }
        // On a square other lines across it are no ways.
        let isOnArea = [incoming, outgoing].contains { graph.flags(of: $0.edge).contains(.area) }
        let exits = graph.arcRange(of: node).compactMap { index -> TurnJunction.Exit? in
            let arc = graph.arcs[index]
            let goesBack =
                incoming.walk == nil && arc.edge == incoming.edge && arc.isReversed != incoming.isReversed
            let isTaken =
                outgoing.walk == nil && arc.edge == outgoing.edge && arc.isReversed == outgoing.isReversed
            if goesBack || isTaken || isOnArea && graph.flags(of: arc.edge).contains(.area) { return nil }
            return TurnJunction.Exit(
                bearing: LegBearing.leaving(graph.line(of: arc.edge, isReversed: arc.isReversed)),
                name: graph.name(of: arc.edge).flatMap(WayNames.spoken),
                isRoundabout: graph.kind(of: arc.edge).isRoundabout,
                roadRank: graph.kind(of: arc.edge).roadRank,
                leadsOut: leadsOut(graph.kind(of: arc.edge), isReversed: arc.isReversed))
        }
        return TurnJunction(exits: exits)
    }
}

extension RoutingGraph {
    /// Whether the heights of all points of an edge are known.
    func knowsHeights(of edge: Int) -> Bool {
        !elevation[source[edge]].isNaN && !elevation[target[edge]].isNaN
            && firstPoint.part(edge).allSatisfy { !points[$0].elevation.isNaN }
    }

    /// The node at which a piece's edge begins in the direction of travel; `nil` for a walk from a coordinate.
    fileprivate func tail(of piece: PathEdge) -> Int? {
        guard let walk = piece.walk else { return startNode(of: piece) }
        return walk.from < 0 ? nil : Int(walk.from)
    }

    /// The node at which a piece's edge ends in the direction of travel; `nil` for a walk to a coordinate.
    fileprivate func head(of piece: PathEdge) -> Int? {
        guard let walk = piece.walk else { return endNode(of: piece) }
        return walk.to < 0 ? nil : Int(walk.to)
    }
}

/// Parts of lines.
enum PartialLine {
    /// The part of a line between two shares of its length.
    static func part(of line: [Coordinate], from: Double, to: Double) -> [Coordinate] {
        guard from > 0 || to < 1, line.count > 1 else { return line }
        let along = Polyline.cumulativeDistances(line)
        let length = along[along.count - 1]
        let (begin, end) = (from * length, to * length)
        var part = [point(on: line, along, at: begin)]
        for (index, distance) in along.enumerated() where distance > begin && distance < end {
            part.append(line[index])
        }
        part.append(point(on: line, along, at: end))
        return part
    }

    private static func point(on line: [Coordinate], _ along: [Double], at distance: Double) -> Coordinate {
        let next = along.firstIndex { $0 >= distance } ?? along.count - 1
        guard next > 0 else { return line[0] }
        let span = along[next] - along[next - 1]
        let share = span > 0 ? max(0, min(1, (distance - along[next - 1]) / span)) : 1
        let (left, right) = (line[next - 1], line[next])
        let altitude: Double? =
            if let low = left.altitude, let high = right.altitude { low + share * (high - low) } else { nil }
        return Coordinate(
            latitude: left.latitude + share * (right.latitude - left.latitude),
            longitude: Angle.longitude(
                left.longitude + share * Angle.difference(from: left.longitude, to: right.longitude)),
            altitude: altitude)
    }
}
