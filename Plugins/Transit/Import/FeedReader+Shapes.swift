import PluginKit

/// The lines of shapes.txt, as whole numbers of ten-millionths of a degree: eight bytes a point.
struct ShapeLines {
    /// One point of the table.
    struct Point {
        var shape: Int32
        var sequence: Int32
        var latitude: Int32
        var longitude: Int32
    }

    static let unit = 1e-7
    var ids = KeyTable()
    var points: [Point] = []
    /// Where each shape begins in `points`; one more than there are shapes.
    private(set) var starts: [Int] = []

    /// Sorts the points by shape and sequence.
    mutating func finish() {
        let isSorted = zip(points, points.dropFirst()).allSatisfy {
            ($0.shape, $0.sequence) <= ($1.shape, $1.sequence)
        }
        if !isSorted {
            let order = points.indices.sorted {
                (points[$0].shape, points[$0].sequence, $0) < (points[$1].shape, points[$1].sequence, $1)
            }
            points = order.map { points[$0] }
        }
        starts = [Int](repeating: 0, count: ids.count + 1)
        for point in points { starts[Int(point.shape) + 1] += 1 }
        for index in 0..<ids.count { starts[index + 1] += starts[index] }
    }

    /// The points of a shape.
    subscript(_ shape: Int) -> ArraySlice<Point> { points[starts[shape]..<starts[shape + 1]] }
}

extension FeedReader {
    /// Reads shapes.txt. A shape with one point is not a line and is skipped.
    mutating func readShapes() throws {
        let names = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
        guard var rows = try open(.shapes, required: names) else { return }
        let columns = names.map(rows.column)
        var lines: [Int] = []
        var last = -1
        while try rows.next(&problems, progress: progress) {
            let id = rows[columns[0]]
            var wrong: FeedFault?
            let latitude = rows.angle(columns[1])
            let longitude = rows.angle(columns[2])
            let sequence = rows.integer(columns[3])
            if sequence == nil { wrong = .invalid(names[3], rows.text(columns[3]), .whole) }
            if longitude.map({ abs($0) > 180 }) ?? true {
                wrong = .invalid(names[2], rows.text(columns[2]), .decimal)
            }
            if latitude.map({ abs($0) > 90 }) ?? true {
                wrong = .invalid(names[1], rows.text(columns[1]), .decimal)
            }
            if id.isEmpty { wrong = .missing("shape_id") }
            guard wrong == nil, let latitude, let longitude, let sequence else {
                try problems.add(.shapes, line: rows.line, wrong ?? .line)
                continue
            }
            if last < 0 || !content.shapes.ids.equals(last, UnsafeRawBufferPointer(id)) {
                let added = content.shapes.ids.add(id)
                if added.isNew { lines.append(rows.line) }
                last = added.index
            }
            content.shapes.points.append(
                ShapeLines.Point(
                    shape: Int32(last), sequence: Int32(sequence),
                    latitude: Int32((latitude / ShapeLines.unit).rounded()),
                    longitude: Int32((longitude / ShapeLines.unit).rounded())))
        }
        content.shapes.finish()
        for shape in lines.indices where content.shapes[shape].count < 2 {
            try problems.add(
                .shapes, line: lines[shape],
                FeedFault(
                    .singleShapePoint, "the shape \(content.shapes.ids.text(shape)) has only one point",
                    field: "shape_id", value: content.shapes.ids.text(shape)), .repaired)
        }
    }

    /// Trips lose a shape that has none of their stops near it: it is one of another place, as where latitude and longitude are
    /// exchanged. The first trip of each such shape is noted.
    mutating func dropForeignShapes() throws {
        var boxes: [Int32: ShapeBox] = [:]
        var known: [Int64: Bool] = [:]
        var noted: Set<Int32> = []
        for index in content.trips.indices {
            let (shape, pattern) = (content.trips[index].shape, content.trips[index].pattern)
            guard shape >= 0, pattern >= 0 else { continue }
            let key = Int64(pattern) << 32 | Int64(shape)
            if known[key] == nil {
                let box = boxes[shape] ?? ShapeBox(content.shapes[Int(shape)])
                boxes[shape] = box
                let row = content.patterns[Int(pattern)]
                let places = content.patternStops[row.first..<row.first + row.count].map {
                    content.stops[Int($0.stop)]
                }
                .filter { !$0.latitude.isNaN }
                known[key] = !places.isEmpty && places.allSatisfy { !box.isNear($0.latitude, $0.longitude) }
            }
            guard known[key] == true else { continue }
            content.trips[index].shape = -1
            guard noted.insert(shape).inserted else { continue }
            let id = content.shapes.ids.text(Int(shape))
            try problems.add(
                .trips, line: Int(content.trips[index].line),
                FeedFault(
                    .stopTooFarFromShape,
                    "the shape \(id) is far from all stops of its trip, and not used for it",
                    field: "shape_id", value: id), .repaired)
        }
    }
}

/// Between which parallels and meridians a shape is, in degrees.
private struct ShapeBox {
    private var latitude = (Double.infinity, -Double.infinity)
    private var longitude = (Double.infinity, -Double.infinity)

    /// Degrees beyond it that are near: 11 km of latitude.
    private static let margin = 0.1

    init(_ points: ArraySlice<ShapeLines.Point>) {
        for point in points {
            let place = (Double(point.latitude) * ShapeLines.unit, Double(point.longitude) * ShapeLines.unit)
            latitude = (min(latitude.0, place.0), max(latitude.1, place.0))
            longitude = (min(longitude.0, place.1), max(longitude.1, place.1))
        }
    }

    /// Whether a place is in it or near; of a shape over the 180° meridian only its latitude tells.
    func isNear(_ north: Double, _ east: Double) -> Bool {
        let (low, high) = (longitude.0 - Self.margin, longitude.1 + Self.margin)
        let isWide = longitude.1 - longitude.0 > 180
        return (latitude.0 - Self.margin...latitude.1 + Self.margin).contains(north)
            && (isWide || [east, east - 360, east + 360].contains { (low...high).contains($0) })
    }
}
