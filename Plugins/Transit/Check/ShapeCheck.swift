import Geodesy
import PluginKit

/// An unprocessed row of shapes.txt.
struct ShapeRow {
    var shape: Int32
    var sequence: Int32
    var line: Int32
    var latitude: Double
    var longitude: Double
    /// `shape_dist_traveled`; NaN if empty.
    var distance: Double
}

/// The rows of shapes.txt by shape and sequence.
struct CheckedShapes {
    var rows: [ShapeRow] = []
    private var starts: [Int] = []

    mutating func finish(_ count: Int) {
        let isSorted = zip(rows, rows.dropFirst()).allSatisfy {
            ($0.shape, $0.sequence) <= ($1.shape, $1.sequence)
        }
        if !isSorted {
            rows.sort { ($0.shape, $0.sequence, $0.line) < ($1.shape, $1.sequence, $1.line) }
        }
        starts = [Int](repeating: 0, count: count + 1)
        for row in rows { starts[Int(row.shape) + 1] += 1 }
        for index in 0..<count { starts[index + 1] += starts[index] }
    }

    subscript(_ shape: Int) -> ArraySlice<ShapeRow> { rows[starts[shape]..<starts[shape + 1]] }
}

extension TableCheck {
    /// Reads shapes.txt again, with its distances; `nil` if the table is missing.
    mutating func readShapes(_ progress: ProgressReporter) throws -> CheckedShapes? {
        let table = FeedTable.shapes
        var problems = FeedProblems(isLenient: true)
        guard var rows = try open(table, &problems) else { return nil }
        if let rule = TableRule.all.first(where: { $0.table == table }) { checkHeader(rows, rule) }
        let names = [
            "shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled",
        ]
        let columns = names.map(rows.column)
        let ids = content.shapes.ids
        var shapes = CheckedShapes()
        shapes.rows.reserveCapacity(content.shapes.points.count)
        var (last, isOdd) = (-1, false)
        while try rows.next(&problems, progress: progress) {
            checkForm(rows, table)
            let id = rows[columns[0]]
            if last < 0 || !ids.equals(last, UnsafeRawBufferPointer(id)) {
                last = ids.find(id) ?? -1
                isOdd = !NameRules.isPrintable(id)
            }
            if isOdd {
                tally(
                    .nonAsciiOrNonPrintableChar, table, rows.line, field: names[0],
                    value: rows.text(columns[0]),
                    "shape_id has characters other than printable ASCII")
            }
            guard last >= 0, let latitude = FieldParser.number(rows[columns[1]]),
                let longitude = FieldParser.number(rows[columns[2]]), abs(latitude) <= 90,
                abs(longitude) <= 180, let sequence = FieldParser.integer(rows[columns[3]])
            else { continue }
            if abs(latitude) <= 1, abs(longitude) <= 1 {
                tally(.pointNearOrigin, table, rows.line, "the point lies within a degree of 0,0")
            }
            if abs(latitude) >= 89 {
                tally(.pointNearPole, table, rows.line, "the point lies within a degree of a pole")
            }
            shapes.rows.append(
                ShapeRow(
                    shape: Int32(last), sequence: Int32(sequence), line: Int32(clamping: rows.line),
                    latitude: latitude, longitude: longitude, distance: distance(rows, columns[4])))
        }
        checkBlankLines(rows, table)
        shapes.finish(ids.count)
        for (first, second) in zip(shapes.rows, shapes.rows.dropFirst()) where first.shape == second.shape {
            checkPair(first, second)
        }
        return shapes
    }

    private mutating func distance(_ rows: TableReader, _ index: Int) -> Double {
        let field = rows[index]
        if field.isEmpty { return .nan }
        let number = FieldParser.number(field)
        if number.map({ $0 < 0 }) ?? true {
            let value = rows.text(index)
            tally(
                number == nil ? .invalidFloat : .numberOutOfRange, .shapes, rows.line,
                field: "shape_dist_traveled", value: value,
                "invalid shape_dist_traveled `\(value.prefix(40))`")
        }
        return number ?? .nan
    }

    /// Checks two consecutive points of a shape.
    private mutating func checkPair(_ first: ShapeRow, _ second: ShapeRow) {
        func found(_ rule: FeedRule, _ text: String) {
            let ids = content.shapes.ids
            tally(
                rule, .shapes, Int(second.line), field: "shape_dist_traveled",
                "\(text) in shape \(ids.text(Int(second.shape)))")
        }
        if first.sequence == second.sequence {
            add(
                .duplicateKey, FeedTable.shapes.rawValue, Int(max(first.line, second.line)),
                "shape_id, shape_pt_sequence are also in another line")
        }
        // NaN, which means no value, is neither greater nor equal.
        if first.distance > second.distance {
            return found(.decreasingShapeDistance, "the distance decreases")
        }
        guard first.distance == second.distance else { return }
        if first.latitude == second.latitude, first.longitude == second.longitude {
            return found(.equalShapeDistanceSameCoordinates, "a point is repeated")
        }
        let metres = Coordinate(latitude: first.latitude, longitude: first.longitude).distance(
            to: Coordinate(latitude: second.latitude, longitude: second.longitude))
        if metres > TransitSettings.samePoint {
            found(.equalShapeDistanceDiffCoordinates, "different points have the same distance")
        } else if metres > 0 {
            found(
                .equalShapeDistanceDiffCoordinatesDistanceBelowThreshold,
                "points less than \(TransitSettings.samePoint) m apart have the same distance")
        }
    }
}
