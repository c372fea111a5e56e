import Geodesy

/// The parts of GeoJSON (RFC 7946).
public enum GeoJSON {
    /// A geometry; areas are reduced to their outlines.
    public indirect enum Geometry: Sendable {
        /// `Point`
        case point(Coordinate)
        /// `MultiPoint`
        case points([Coordinate])
        /// `LineString`
        case line([Coordinate])
        /// `MultiLineString`
        case lines([[Coordinate]])
        /// The outer rings of a `Polygon` or `MultiPolygon`.
        case outlines([[Coordinate]])
        /// `GeometryCollection`
        case collection([Geometry])
    }

    /// A feature; its geometry is decoded on demand.
    public struct Feature: Sendable {
        /// Its identifier, a string or a number.
        public let id: JSONTree?
        /// Its undecoded geometry; `nil` if it has none.
        public let rawGeometry: JSONTree?
        /// Its properties, in file order.
        public let properties: [JSONTree.Member]

        /// Whether it is a geometry without a feature.
        private let isBare: Bool

        fileprivate init(_ tree: JSONTree) throws(JSONFault) {
            isBare = false
            guard case .object = tree else { throw tree.mismatch("an object") }
            id = tree["id"]
            rawGeometry = try tree.readIfPresent("geometry")
            properties = tree["properties"]?.members ?? []
        }

        fileprivate init(geometry: JSONTree) {
            isBare = true
            id = nil
            rawGeometry = geometry
            properties = []
        }

        /// Decodes its geometry; a coordinate outside ±180 and ±90 degrees is a fault of value.
        public func geometry() throws(JSONFault) -> Geometry? {
            guard let rawGeometry else { return nil }
            do throws(JSONFault) {
                return try Geometry(json: rawGeometry)
            } catch {
                throw isBare ? error : error.inside(key: "geometry")
            }
        }

        /// The value of a property.
        public func property(_ name: String) -> JSONTree? { properties.first { $0.key == name }?.value }
    }

    /// The features of a text: those of a collection, a single one, or a bare geometry as a feature.
    public static func features(of tree: JSONTree) throws(JSONFault) -> [Feature] {
        switch try tree.read("type", as: String.self) {
        case "FeatureCollection":
            return try tree.list("features") { (item) throws(JSONFault) in try Feature(item) }
        case "Feature": return [try Feature(tree)]
        default:
            _ = try Geometry.type(of: tree)
            return [Feature(geometry: tree)]
        }
    }
}

extension GeoJSON.Geometry: JSONReadable {
    private static let types: Set = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
        "GeometryCollection",
    ]

    fileprivate static func type(of tree: JSONTree) throws(JSONFault) -> String {
        let type: String = try tree.read("type")
        guard types.contains(type) else {
            throw JSONFault("`\(type.prefix(40))` is not a GeoJSON type").inside(key: "type")
        }
        return type
    }

    /// A geometry.
    public init(json tree: JSONTree) throws(JSONFault) {
        let type = try Self.type(of: tree)
        func read<T: JSONReadable>(_ type: T.Type) throws(JSONFault) -> T {
            try tree.read(type == [Self].self ? "geometries" : "coordinates")
        }
        switch type {
        case "Point": self = .point(try read(Position.self).coordinate)
        case "MultiPoint": self = .points(try read([Position].self).map(\.coordinate))
        case "LineString": self = .line(try read([Position].self).map(\.coordinate))
        case "MultiLineString": self = .lines(Position.lines(try read([[Position]].self)))
        case "Polygon": self = .outlines(Position.lines([try read([[Position]].self).first ?? []]))
        case "MultiPolygon":
            self = .outlines(Position.lines(try read([[[Position]]].self).map { $0.first ?? [] }))
        default: self = .collection(try read([Self].self))
        }
    }

    /// Longitude, latitude and optionally an altitude.
    private struct Position: JSONReadable {
        let coordinate: Coordinate

        init(json tree: JSONTree) throws(JSONFault) {
            guard case .list(let items) = tree else { throw tree.mismatch("an array") }
            guard items.count >= 2 else {
                throw JSONFault(.value, "a position requires a longitude and a latitude")
            }
            let longitude = try Self.number(items, 0)
            let latitude = try Self.number(items, 1)
            coordinate = Coordinate(
                latitude: latitude, longitude: longitude,
                altitude: items.count > 2 ? try Self.number(items, 2) : nil)
            guard coordinate.isValid else {
                let isSwapped = abs(longitude) <= 90 && abs(latitude) <= 180
                throw JSONFault(
                    .value, "\(tree.compactText.prefix(80)) is out of range",
                    fix: isSwapped ? "longitude comes first; check whether they are swapped" : nil)
            }
        }

        private static func number(_ items: [JSONTree], _ index: Int) throws(JSONFault) -> Double {
            guard let number = items[index].number else {
                throw items[index].mismatch("a number").inside(.index(index))
            }
            return number
        }

        static func lines(_ lines: [[Position]]) -> [[Coordinate]] {
            lines.filter { !$0.isEmpty }.map { $0.map(\.coordinate) }
        }
    }
}

extension GeoJSON {
    /// A coordinate as a geometry.
    public static func point(_ coordinate: Coordinate) -> JSONTree { geometry("Point", position(coordinate)) }

    /// The parts of a line as a geometry; null if there are none.
    public static func line(_ parts: [[Coordinate]]) -> JSONTree {
        let lines = parts.map { JSONTree.list($0.map(position)) }
        return switch lines.count {
        case 0: .null
        case 1: geometry("LineString", lines[0])
        default: geometry("MultiLineString", .list(lines))
        }
    }

    private static func geometry(_ type: String, _ coordinates: JSONTree) -> JSONTree {
        .object([.init("type", .text(type)), .init("coordinates", coordinates)])
    }

    /// A feature.
    public static func feature(_ geometry: JSONTree, id: JSONTree? = nil, properties: JSONTree) -> JSONTree {
        JSONTree(members: [
            "type": .text("Feature"), "id": id, "geometry": geometry, "properties": properties,
        ])
    }

    /// Writes a collection by feature; `head` has foreign members of the collection (section 6.1).
    public static func write<Item>(
        _ items: some Sequence<Item>, head: JSONTree = .object([]), _ style: JSONWriter.Style,
        to put: (String) throws -> Void, feature: (Item) throws -> JSONTree
    ) rethrows {
        let writer = JSONWriter(style)
        let colon = style == .compact ? ":" : ": "
        try put("{" + writer.lineStart(1) + "\"type\"\(colon)\"FeatureCollection\",")
        for member in head.members ?? [] {
            try put(writer.lineStart(1) + JSONWriter.quoted(member.key) + colon)
            try writer.write(member.value, depth: 1, to: put)
            try put(",")
        }
        try put(writer.lineStart(1) + "\"features\"\(colon)[")
        var isFirst = true
        for item in items {
            try put((isFirst ? "" : ",") + writer.lineStart(2))
            try writer.write(try feature(item), depth: 2, to: put)
            isFirst = false
        }
        try put((isFirst ? "" : writer.lineStart(1)) + "]" + writer.lineStart(0) + "}")
    }

    private static func position(_ coordinate: Coordinate) -> JSONTree {
        let angles = [coordinate.longitude, coordinate.latitude].map {
            JSONTree($0.rounded(decimals: MapSettings.exactDecimals))
        }
        guard let altitude = coordinate.altitude else { return .list(angles) }
        return .list(angles + [JSONTree(altitude.rounded(decimals: MapSettings.altitudeDecimals))])
    }
}
