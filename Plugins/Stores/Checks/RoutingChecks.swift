import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Checks the rules of a routing graph.
struct RoutingChecks: StoreChecking {
    let kind = StoreKind.routing

    private static let indexes = [
        ("routing_nodes", ["latitude", "longitude"], "idx_nodes_lat_lon"),
        ("routing_edges", ["from_node"], "idx_edges_from"), ("routing_edges", ["to_node"], "idx_edges_to"),
    ]

    /// Checks every node and edge.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind)
        var coordinates: [Int64: Coordinate] = [:]
        try run.visit("routing_nodes", ["id", "latitude", "longitude", "elevation"]) { row in
            guard let id = row.number else { return }
            guard let latitude = row.number("latitude"), let longitude = row.number("longitude"),
                Coordinate(latitude: latitude, longitude: longitude).isValid
            else {
                coordinates[id] = Coordinate(latitude: .nan, longitude: .nan)
                return run.add(
                    RoutingFindings.node, table: "routing_nodes", row: id,
                    "\(row["latitude"].shown), \(row["longitude"].shown)")
            }
            coordinates[id] = Coordinate(latitude: latitude, longitude: longitude)
            if row.isNull("elevation") { return }
            guard let height = row.number("elevation"), CheckSettings.heights.contains(height) else {
                return run.add(
                    RoutingFindings.height, table: "routing_nodes", row: id,
                    "elevation is \(row["elevation"].shown)")
            }
        }
        try edges(run, coordinates)
        try Plausibility.indexes(run, RoutingFindings.index, Self.indexes)
    }

    private struct Pair: Hashable {
        let from: Int64
        let to: Int64
        let way: Int64
        let length: Int
    }

    private func edges(_ run: CheckRun, _ coordinates: [Int64: Coordinate]) throws {
        var seen: [Pair: Int64] = [:]
        var twins: [(first: Int64, second: Int64)] = []
        var faulty: Set<Int64> = []
        var parts = ConnectedComponents(coordinates.keys)
        let columns = [
            "from_node", "to_node", "distance", "elevation_gain", "elevation_loss", "cost", "reverse_cost",
            "is_oneway", "geometry", "osm_way_id", "name", "sac_scale", "trail_visibility", "highway_type",
        ]
        var places = RoutingPlaces()
        try run.visit("routing_edges", columns) { row in
            let edge = CheckedEdge(row: row, coordinates: coordinates) { kind, what in
                if let number = row.number { faulty.insert(number) }
                run.add(kind, table: "routing_edges", row: row.number, what)
            }
            let isShort = edge.check()
            if let number = row.number, let from = row.integer("from_node"), let to = row.integer("to_node"),
                let length = row.number("distance")
            {
                if isShort { faulty.insert(number) }
                places.add(.init(row: number, from: from, to: to, length: length), isShort: isShort)
            }
            if let from = row.integer("from_node"), let to = row.integer("to_node") { parts.join(from, to) }
            guard case .int64(let from) = row["from_node"], case .int64(let to) = row["to_node"],
                case .int64(let way) = row["osm_way_id"], let length = row.number("distance"),
                length.isFinite, abs(length) < 1e9
            else { return }
            let size = Int((length * 10).rounded())
            if let other = seen[Pair(from: to, to: from, way: way, length: size)], from != to {
                run.add(
                    RoutingFindings.twice, table: "routing_edges", row: row.number,
                    "the reverse of edge \(other)")
            }
            let pair = Pair(from: from, to: to, way: way, length: size)
            if let other = seen.updateValue(row.number ?? 0, forKey: pair), let number = row.number {
                twins.append((other, number))
            }
        }
        places.report(coordinates, run)
        for twin in twins { try same(twin, faulty, run) }
        report(parts, run)
    }

    /// Adds the finding of two rows for one edge. It has a fix only where it is clear which row is to go: the only one with a
    /// fault, or either of two that are the same in every column.
    private func same(_ twin: (first: Int64, second: Int64), _ faulty: Set<Int64>, _ run: CheckRun) throws {
        let rows = try [twin.first, twin.second].map { id in
            try Row.fetchOne(run.db, sql: "SELECT * FROM routing_edges WHERE id = ?", arguments: [id])
                .map { row in row.columnNames.map { $0 == "id" ? .null : row[$0] as DatabaseValue } } ?? []
        }
        let isFaulty = (faulty.contains(twin.first), faulty.contains(twin.second))
        var surplus: Int64?
        var remark = ": they differ, and neither is shown to be wrong"
        if rows[0] == rows[1] {
            (surplus, remark) = (twin.second, ", as is everything else")
        } else if isFaulty.0 != isFaulty.1 {
            surplus = isFaulty.0 ? twin.first : twin.second
            remark = "; of the two, edge \(surplus ?? 0) has faults"
        }
        run.add(
            RoutingFindings.same, table: "routing_edges", row: twin.second,
            "ends, way and length are those of edge \(twin.first)\(remark)",
            repair: surplus.map { "DELETE FROM routing_edges WHERE id = \($0)" })
    }

    private func report(_ parts: ConnectedComponents, _ run: CheckRun) {
        let alone = parts.alone
        if let first = alone.min() {
            run.add(
                RoutingFindings.alone, table: "routing_nodes", row: first,
                "\(alone.count, of: "node") without an edge, the first is \(first)")
        }
        let sizes = parts.sizes
        let sum = sizes.reduce(0, +)
        if let largest = sizes.max(), sizes.count > 1,
            Double(largest) < CheckSettings.largestPart * Double(sum)
        {
            run.add(
                RoutingFindings.split, table: "routing_edges",
                "\(sizes.count) parts, the largest has \(largest) of \(sum) nodes")
        }
    }
}

/// One edge under check.
private struct CheckedEdge {
    let row: CheckedRow
    let coordinates: [Int64: Coordinate]
    let add: (FindingKind, String) -> Void

    /// The grades of paths: https://wiki.openstreetmap.org/wiki/Key:sac_scale and Key:trail_visibility. T1 to T6, `+` and `-` behind
    /// them and lists are understood as planning does.
    private static let grades: [(column: String, known: Set<String>)] = [
        (
            "sac_scale",
            [
                "strolling", "hiking", "mountain_hiking", "demanding_mountain_hiking", "alpine_hiking",
                "demanding_alpine_hiking", "difficult_alpine_hiking", "t1", "t2", "t3", "t4", "t5", "t6",
                "no", "none",
            ]
        ), ("trail_visibility", ["excellent", "good", "intermediate", "bad", "horrible", "no"]),
    ]

    /// The types of ways: https://wiki.openstreetmap.org/wiki/Key:highway, and those that regions have for other ways.
    private static let types: Set<String> = [
        "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
        "secondary_link", "tertiary", "tertiary_link", "unclassified", "residential", "living_street",
        "service", "services", "pedestrian", "track", "bus_guideway", "busway", "escape", "raceway", "road",
        "footway", "bridleway", "steps", "corridor", "path", "via_ferrata", "cycleway", "construction",
        "proposed", "ladder", "rest_area", "platform", "elevator", "ferry",
    ]

    private var isKnownType: Bool {
        guard let text = row.text("highway_type") else { return false }
        if Self.types.contains(text) { return true }
        return text.lowercased().split(separator: ";").allSatisfy {
            Self.types.contains($0.trimmingCharacters(in: .whitespaces))
        }
    }

    /// Adds what is wrong with the edge alone. Returns whether it is shorter than the straight line between its ends.
    func check() -> Bool {
        if let damage = row.utf8("name", Plausibility.damageOfName) {
            add(RoutingFindings.text, "name has \(damage)")
        }
        for (column, known) in Self.grades where !row.isNull(column) {
            let parts = row.text(column)?.lowercased().split { ";,|/".contains($0) }.map { part in
                part.split(whereSeparator: \.isWhitespace).joined(separator: "_")
            }
            let isKnown = parts?.allSatisfy { part in
                known.contains(part)
                    || part.hasPrefix("t") && "+-".contains(part.suffix(1))
                        && known.contains(String(part.dropLast()))
            }
            if isKnown != true {
                add(RoutingFindings.grade, "\(column) is \(row[column].shown)")
            }
        }
        if !row.isNull("highway_type"), !isKnownType {
            add(RoutingFindings.type, "highway_type is \(row["highway_type"].shown)")
        }
        switch row["osm_way_id"] {
        case .null, .int64: break
        case let other: add(RoutingFindings.way, "osm_way_id is \(other.shown)")
        }
        let (from, to) = (end("from_node"), end("to_node"))
        let line = points()
        for column in ["elevation_gain", "elevation_loss"] {
            guard let climb = row.number(column), climb >= 0, climb.isFinite else {
                add(RoutingFindings.climb, "\(column) is \(row[column].shown)")
                continue
            }
        }
        if let node = row.integer("from_node"), node == row.integer("to_node"),
            row.isNull("geometry") || row.number("distance") == 0 || isPoint(line, from)
        {
            add(RoutingFindings.loop, "from and to the same node \(node), without a line between")
            return false
        }
        if let length = row.number("distance"), let gain = row.number("elevation_gain"), length >= 0,
            gain > length + CheckSettings.climbTolerance
        {
            add(
                RoutingFindings.steep,
                "elevation_gain is \(Literal.quantity(.metres(gain))), distance \(Literal.quantity(.metres(length)))"
            )
        }
        switch row["is_oneway"] {
        case .int64(0), .int64(1): break
        case let other: add(RoutingFindings.oneway, "is_oneway is \(other.shown)")
        }
        let straight: Double? = from.flatMap { from in
            to.flatMap { from.isValid && $0.isValid ? from.distance(to: $0) : nil }
        }
        // Float32 has a precision of a metre and a half; spheres and ellipsoids differ by half a percent.
        let least = straight.map { $0 * (1 - CheckSettings.lengthShare) - CheckSettings.lengthTolerance } ?? 0
        guard let length = row.number("distance"), length.isFinite, length >= 0 else {
            add(RoutingFindings.length, "distance is \(row["distance"].shown)")
            return false
        }
        if length < least { return true }
        for column in ["cost", "reverse_cost"] {
            guard let cost = row.number(column), !cost.isNaN, cost >= 0, cost >= least else {
                add(
                    RoutingFindings.cost,
                    "\(column) is \(row[column].shown), distance \(row["distance"].shown)")
                continue
            }
        }
        shape(line, from, to, length)
        return false
    }

    /// Compares the line of an edge with its length.
    private func shape(_ line: [Coordinate]?, _ from: Coordinate?, _ to: Coordinate?, _ length: Double) {
        guard let line, let from, let to, from.isValid, to.isValid else { return }
        let all = [from] + line + [to]
        let sum = zip(all, all.dropFirst()).map { $0.distance(to: $1) }.reduce(0, +)
        let tolerance = CheckSettings.distanceTolerance + CheckSettings.distanceShare * sum
        guard abs(sum - length) > tolerance else { return }
        if let place = misplaced(line, from, to, length, tolerance) {
            return add(RoutingFindings.shape, place)
        }
        add(
            RoutingFindings.shape,
            "distance is \(Literal.quantity(.metres(length))), its line \(Literal.quantity(.metres(sum)))")
    }

    /// Whether a line between equal ends does not leave them.
    private func isPoint(_ line: [Coordinate]?, _ end: Coordinate?) -> Bool {
        guard let line, let end, end.isValid else { return false }
        return line.allSatisfy { $0.distance(to: end) < CheckSettings.lengthTolerance }
    }

    /// Why a line cannot have its edge's length: points of it lie elsewhere; `nil` if they do not.
    private func misplaced(
        _ line: [Coordinate], _ from: Coordinate, _ to: Coordinate, _ length: Double, _ tolerance: Double
    ) -> String? {
        let far = line.enumerated().filter {
            min($0.element.distance(to: from), $0.element.distance(to: to)) > length + tolerance
        }
        guard let first = far.first else { return nil }
        let exchanged = line.map { Coordinate(latitude: $0.longitude, longitude: $0.latitude) }
        let turned = [from] + exchanged + [to]
        let sum = zip(turned, turned.dropFirst()).map { $0.distance(to: $1) }.reduce(0, +)
        if exchanged.allSatisfy(\.isValid),
            abs(sum - length) <= CheckSettings.distanceTolerance
                + CheckSettings.distanceShare * sum
        {
            return
                "latitude and longitude of the geometry are swapped: with them exchanged the line is as long as the edge"
        }
        let gap = min(first.element.distance(to: from), first.element.distance(to: to))
        return
            "point \(first.offset + 1) of \(line.count) of the geometry lies \(Literal.quantity(.metres(gap))) from the ends, the edge is \(Literal.quantity(.metres(length))) long"
    }

    private func end(_ column: String) -> Coordinate? {
        guard case .int64(let id) = row[column], let coordinate = coordinates[id] else {
            add(RoutingFindings.ends, "\(column) is \(row[column].shown)")
            return nil
        }
        return coordinate
    }

    /// The points between the ends; `nil` if they cannot be read.
    private func points() -> [Coordinate]? {
        let blob: Data
        switch row["geometry"] {
        case .null: return []
        case .blob(let data): blob = data
        case let other:
            add(RoutingFindings.geometry, "geometry is \(other.shown)")
            return nil
        }
        guard blob.count % 8 == 0 else {
            add(RoutingFindings.geometry, "geometry has \(blob.count) bytes, not a multiple of 8")
            return nil
        }
        let numbers = blob.withUnsafeBytes { bytes in
            (0..<blob.count / 4).map { index in
                Double(
                    Float(
                        bitPattern: UInt32(
                            littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))))
            }
        }
        let points = stride(from: 0, to: numbers.count, by: 2).map {
            Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
        }
        if let bad = points.firstIndex(where: { !$0.isValid }) {
            add(RoutingFindings.geometry, "point \(bad + 1) of \(points.count) is out of range")
            return nil
        }
        return points
    }
}
