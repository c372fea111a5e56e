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
}
