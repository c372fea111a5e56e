import Geodesy
import PluginKit

/// An area that is walked across, at import.
struct AreaShape: Sendable {
    /// The OSM ids of the ways of its edge. The lines across it have that of the first.
    var ways: [Int64]
    /// The rings of its edge by the numbers of their nodes.
    var rings: [[Int32]]
}

/// An area as a region stores it.
struct StoredArea: Sendable {
    var ways: [Int64]
    var corners: [Corner]

    struct Corner: BitwiseCopyable, Sendable {
        /// The OSM id of its node.
        var id: Int64
        var latitude: Double
        var longitude: Double
        /// Metres; NaN where unknown.
        var elevation: Float
        /// The number of its ring, from 0.
        var ring: Int32
    }

    init(_ shape: AreaShape, _ nodes: NodeTable) {
        ways = shape.ways
        corners = shape.rings.enumerated().flatMap { number, ring in
            ring.map { node in
                Corner(
                    id: nodes.ids[Int(node)], latitude: nodes.latitude[Int(node)],
                    longitude: nodes.longitude[Int(node)], elevation: nodes.elevation[Int(node)],
                    ring: Int32(number))
            }
        }
    }

    /// The area of a row of the database; `nil` if its bytes are no corners.
    init?(ways: UnsafeRawBufferPointer?, corners: UnsafeRawBufferPointer?) {
        guard let ways, let corners, ways.count % 8 == 0, corners.count % Self.cornerBytes == 0 else {
            return nil
        }
        self.ways = stride(from: 0, to: ways.count, by: 8).map {
            Int64(littleEndian: ways.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
        self.corners = stride(from: 0, to: corners.count, by: Self.cornerBytes).map { start in
            func bits64(_ offset: Int) -> UInt64 {
                UInt64(littleEndian: corners.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
            }
            func bits32(_ offset: Int) -> UInt32 {
                UInt32(littleEndian: corners.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
            }
            return Corner(
                id: Int64(bitPattern: bits64(0)), latitude: Double(bitPattern: bits64(8)),
                longitude: Double(bitPattern: bits64(16)), elevation: Float(bitPattern: bits32(24)),
                ring: Int32(bitPattern: bits32(28)))
        }
        guard self.corners.allSatisfy({ abs($0.latitude) <= 90 && abs($0.longitude) <= 180.01 }) else {
            return nil
        }
    }

    /// The bytes of a corner in the database: id, latitude, longitude, elevation, ring, little-endian.
    private static let cornerBytes = 32

    /// The ids of the ways as bytes.
    var wayBytes: [UInt8] {
        ways.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    }

    /// The corners as bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(corners.count * Self.cornerBytes)
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for corner in corners {
            add(corner.id)
            add(corner.latitude.bitPattern)
            add(corner.longitude.bitPattern)
            add(corner.elevation.bitPattern)
            add(corner.ring)
        }
        return bytes
    }
}

/// An area in the image of a graph.
struct CrossedAreaRow: BitwiseCopyable, Sendable {
    var box: IndexBox
    /// One of its lines, whose tags it has.
    var edge: Int32
    /// Its corners in the section of corners.
    var first: Int32
    var count: Int32
    /// The ids of its ways in their section.
    var firstWay: Int32
    var wayCount: Int32
}

/// A corner of an area in the image of a graph.
struct CrossedAreaCorner: BitwiseCopyable, Sendable {
    var latitude: Double
    var longitude: Double
    /// Metres; NaN where unknown.
    var elevation: Float
    /// The node of the graph that lines of the area end at; −1 for none.
    var node: Int32
    /// The number of its ring, from 0.
    var ring: Int32
    private var unused: Int32 = 0

    init(_ corner: StoredArea.Corner, node: Int32) {
        (latitude, longitude, elevation) = (corner.latitude, corner.longitude, corner.elevation)
        (self.node, ring) = (node, corner.ring)
    }
}

extension GraphArrays {
    /// The areas with the nodes at their corners, by their index now; areas without a line in the graph are left out.
    func areaSections() -> (
        rows: [CrossedAreaRow], corners: [CrossedAreaCorner], ways: [Int64]
    ) {
        guard !areas.isEmpty else { return ([], [], []) }
        let isArea = kinds.map { EdgeKind.Flags(rawValue: $0.flags).contains(.area) }
        var edgesOfWay: [Int64: [Int]] = [:]
        for edge in source.indices where isArea[Int(kind[edge])] {
            edgesOfWay[wayID[edge], default: []].append(edge)
        }
        var (rows, corners, ways): ([CrossedAreaRow], [CrossedAreaCorner], [Int64]) = ([], [], [])
        for area in areas {
            let edges = area.ways.flatMap { edgesOfWay[$0] ?? [] }
            guard let edge = edges.first, !area.corners.isEmpty else { continue }
            // At an obstacle the lines may end at copies of the node.
            var nodes: [Int64: Int32] = [:]
            for edge in edges {
                for node in [source[edge], target[edge]] {
                    let id = nodeID[Int(node)]
                    let original = RegionNetwork.original(id)
                    if nodes[original] == nil || id == original { nodes[original] = node }
                }
            }
            var row = CrossedAreaRow(
                box: .empty, edge: Int32(edge), first: Int32(corners.count), count: Int32(area.corners.count),
                firstWay: Int32(ways.count), wayCount: Int32(area.ways.count))
            ways += area.ways
            let start = area.corners[0].longitude
            for corner in area.corners {
                let east = start + Angle.difference(from: start, to: corner.longitude)
                row.box.include(latitude: corner.latitude, longitude: east)
                corners.append(CrossedAreaCorner(corner, node: nodes[corner.id] ?? -1))
            }
            rows.append(row)
        }
        return (rows, corners, ways)
    }
}
