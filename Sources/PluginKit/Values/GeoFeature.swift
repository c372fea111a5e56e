import Geodesy

/// A feature with a geometry, for formats such as GeoJSON and GPX.
public struct GeoFeature: Sendable {
    /// The geometry.
    public enum Shape: Sendable {
        /// A point.
        case point(Coordinate)
        /// A line of at least two points.
        case line([Coordinate])
        /// An area: rings, counter-clockwise around the area and clockwise around holes.
        case area([[Coordinate]])
    }

    /// The geometry.
    public var shape: Shape
    /// The fields besides the geometry.
    public var fields: Record

    /// The first of these fields that exists.
    public func field(_ names: String...) -> Value? {
        for name in names {
            switch fields[name] {
            case nil, .nothing?: continue
            case let value?: return value
            }
        }
        return nil
    }
}

extension GeoFeature {
    /// The features of a value: a coordinate or a record is one, a list of coordinates is a line, other rows
    /// are one each. Throws `E-DATA-PLACE` for missing or invalid coordinates.
    public static func all(of value: Value) throws -> [GeoFeature] {
        guard let items = try value.asRows?.collect() else { return [try one(value, row: nil)] }
        if let points = items.coordinates, !points.isEmpty { return [try line(points)] }
        return try items.enumerated().map { index, item in
            try Interruption.check()
            if case .list(let inner) = item, let points = inner.coordinates, !points.isEmpty {
                return try line(points)
            }
            return try one(item, row: index + 1) {
                items.lazy.compactMap { $0.asRecord.flatMap(placeField) }.first
            }
        }
    }

    private static func line(_ points: [Coordinate]) throws(RutterError) -> GeoFeature {
        if let bad = points.first(where: { !$0.isValid }) {
            throw CommonErrors.noPlace(
                "\(Literal.number(bad.latitude)),\(Literal.number(bad.longitude)) is not a valid coordinate")
        }
        return GeoFeature(shape: points.count == 1 ? .point(points[0]) : .line(points), fields: Record())
    }

    private static func area(_ rings: [[Coordinate]]) throws(RutterError) -> GeoFeature {
        for ring in rings { _ = try line(ring) }
        return GeoFeature(shape: .area(rings), fields: Record())
    }

    /// The feature of a row; `placed` is the field in which another row has its place.
    private static func one(
        _ value: Value, row: Int?, placed: () -> String? = { nil }
    ) throws(RutterError) -> GeoFeature {
        if case .coordinate(let place) = value { return try line([place]) }
        let what = value.article
        guard let record = value.asRecord else {
            throw noPlace(what, row, fix: value.fixOfMarkup)
        }
        guard let name = placeField(of: record), let place = record[name] else {
            if let pair = AngleColumns(in: record.keys) { return try point(record, pair, row) }
            let fields = "\(what) with the fields \(record.keys.joined(separator: ", "))"
            if let name = writtenPoint(in: record) {
                throw CommonErrors.noPlace(
                    (row.map { "row \($0): " } ?? "") + "\(fields) has no coordinate, but the text of one",
                    fix: "… | extend at=coordinate(\(name))")
            }
            throw noPlace(fields, row, placed: placed())
        }
        let rings = place.rings
        var feature = try rings.isEmpty ? line(place.points) : area(rings)
        feature.fields = record
        feature.fields[name] = nil
        return feature
    }

    /// A point from two columns.
    private static func point(
        _ record: Record, _ pair: AngleColumns, _ row: Int?
    ) throws(RutterError) -> GeoFeature {
        let start = row.map { "row \($0): " } ?? ""
        guard let latitude = record[pair.latitude]?.asNumber, let longitude = record[pair.longitude]?.asNumber
        else {
            let values = [record[pair.latitude], record[pair.longitude]]
            if values.contains(where: isNumberText),
                values.allSatisfy({ isNumberText($0) || $0?.asNumber != nil })
            {
                throw CommonErrors.noPlace(
                    "\(start)`\(pair.latitude)` and `\(pair.longitude)` are numbers as texts",
                    fix: "… | extend at=coordinate(\(pair.latitude), \(pair.longitude))")
            }
            let texts = values.compactMap { value -> String? in
                guard case .text(let text)? = value else { return nil }
                return text
            }
            let columns = [pair.latitude, pair.longitude]
            // A word for a missing value is no angle in any notation.
            for (column, value) in zip(columns, values) {
                guard case .text(let word)? = value, !word.contains(where: \.isNumber) else { continue }
                throw CommonErrors.noPlace(
                    "\(start)`\(word.prefix(20))` is not a number",
                    fix: "leave such rows out: … | where \(column) != \(Literal.quoted(word))")
            }
            if let first = texts.first {
                let isComma = texts.allSatisfy(isCommaNumber)
                let parts = isComma ? columns.map { "number(replace(\($0), ',', '.'))" } : columns
                throw CommonErrors.noPlace(
                    "\(start)`\(first.prefix(20))` is not a number",
                    fix: "… | extend at=coordinate(\(parts.joined(separator: ", ")))")
            }
            throw CommonErrors.noPlace(
                "\(start)`\(pair.latitude)` and `\(pair.longitude)` are not both numbers",
                fix: "keep the rows that have a position: "
                    + "… | where \(pair.latitude) != nothing and \(pair.longitude) != nothing")
        }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place.isValid else {
            throw CommonErrors.noPlace(
                "\(start)\(Literal.number(latitude)),\(Literal.number(longitude)) is no place on Earth",
                fix: "keep the rows that can be: "
                    + "… | where abs(\(pair.latitude)) <= 90 and abs(\(pair.longitude)) <= 180")
        }
        var feature = GeoFeature(shape: .point(place), fields: record)
        feature.fields[pair.latitude] = nil
        feature.fields[pair.longitude] = nil
        return feature
    }

    /// The field `at`, else the first area, else the first line, else the first coordinate.
    private static func placeField(of record: Record) -> String? {
        if case .coordinate? = record["at"] { return "at" }
        let fields = zip(record.keys, record.values)
        return fields.first { !$1.rings.isEmpty }?.0 ?? fields.first { $1.points.count > 1 }?.0
            ?? fields.first { $1.points.count == 1 }?.0
    }

    /// Whether a text is a number of degrees with a decimal comma: `46,951`.
    private static func isCommaNumber(_ text: String) -> Bool {
        text.count { $0 == "," } == 1 && Double(text.replacing(",", with: ".")) != nil
    }

    /// Whether a value is the text of a number, as JSON of some services has it.
    private static func isNumberText(_ value: Value?) -> Bool {
        guard case .text(let text)? = value else { return false }
        return Double(text)?.isFinite == true
    }

    /// The field whose text is a point of WKT, as databases write it.
    private static func writtenPoint(in record: Record) -> String? {
        zip(record.keys, record.values).first { _, value in
            guard case .text(let text) = value else { return false }
            return (text.split(separator: ";").last ?? "").uppercased().hasPrefix("POINT")
                && text.contains("(")
        }?.0
    }

    private static func noPlace(
        _ what: String, _ row: Int?, placed: String? = nil, fix: String? = nil
    ) -> RutterError {
        CommonErrors.noPlace(
            (row.map { "row \($0): " } ?? "") + "\(what) has no coordinate",
            fix: fix ?? placed.map { "keep the rows that have a place: … | where \($0) != nothing" }
                ?? "make one of two columns: … | extend at=coordinate(LATITUDE, LONGITUDE)")
    }
}

extension [Value] {
    /// The coordinates, if all items are coordinates.
    fileprivate var coordinates: [Coordinate]? {
        var places: [Coordinate] = []
        for item in self {
            guard case .coordinate(let place) = item else { return nil }
            places.append(place)
        }
        return places
    }
}

extension Value {
    /// The rings of an area, a list of lists of at least three coordinates each; empty for other values.
    fileprivate var rings: [[Coordinate]] {
        guard case .list(let items) = self, !items.isEmpty else { return [] }
        var rings: [[Coordinate]] = []
        for item in items {
            guard case .list(let points) = item, let ring = points.coordinates, ring.count > 2 else {
                return []
            }
            rings.append(ring)
        }
        return rings
    }

    /// The points of a coordinate or of a list of them; empty for other values.
    fileprivate var points: [Coordinate] {
        switch self {
        case .coordinate(let place): [place]
        case .list(let items): items.coordinates ?? []
        case .object(let object): (object as? any TabularObject)?.table.ready?.coordinates ?? []
        default: []
        }
    }
}

extension Value {
    /// What reads text that is markup, such as a GPX or KML file that was opened as text; `nil` for other values.
    package var fixOfMarkup: String? {
        guard case .text(let text) = self, text.first(where: { !$0.isWhitespace }) == "<" else { return nil }
        return "a file of tracks or places is read by `import FILE --dry-run`"
    }
}
