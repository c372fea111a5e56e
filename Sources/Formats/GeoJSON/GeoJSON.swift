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

        /// The system of its positions.
        let system: GeoJSONSystem

        fileprivate init(_ tree: JSONTree, _ system: GeoJSONSystem) throws(JSONFault) {
            isBare = false
            guard case .object = tree else { throw tree.mismatch("an object") }
            id = tree["id"]
            let geometry: JSONTree? = try tree.readIfPresent("geometry")
            rawGeometry = geometry
            self.system = geometry.flatMap(GeoJSONSystem.init(of:)) ?? GeoJSONSystem(of: tree) ?? system
            properties = tree["properties"]?.members ?? []
        }

        fileprivate init(geometry: JSONTree) {
            isBare = true
            id = nil
            rawGeometry = geometry
            system = GeoJSONSystem(of: geometry) ?? .degrees
            properties = []
        }

        /// Decodes its geometry; a coordinate outside ±180 and ±90 degrees is a fault of value.
        public func geometry() throws(JSONFault) -> Geometry? {
            var positions = GeoJSONPositions(system, isSalvaging: false)
            return try geometry(&positions)
        }

        /// Decodes its geometry with an account of its positions.
        func geometry(_ positions: inout GeoJSONPositions) throws(JSONFault) -> Geometry? {
            guard let rawGeometry else { return nil }
            do throws(JSONFault) {
                if let fault = system.fault { throw fault.inside(key: "crs") }
                let geometry = try Geometry(rawGeometry, &positions)
                if !isBare { positions.enter(key: "geometry") }
                return geometry
            } catch {
                throw isBare ? error : error.inside(key: "geometry")
            }
        }

        /// The value of a property.
        public func property(_ name: String) -> JSONTree? { properties.first { $0.key == name }?.value }
    }

    /// The features of a text: those of a collection, a single one, or a bare geometry as a feature.
    public static func features(of tree: JSONTree) throws(JSONFault) -> [Feature] {
        try parts(of: tree) { (error) throws(JSONFault) in throw error }
    }

    /// The features of a text; items of a collection that are none go to `aside`. Throws for a text without features.
    static func parts(
        of tree: JSONTree, aside: (JSONFault) throws(JSONFault) -> Void
    ) throws(JSONFault) -> [Feature] {
        if case .list(let texts) = tree, !texts.isEmpty {
            var features: [Feature] = []
            for text in texts { features += try parts(of: text, aside: aside) }
            return features
        }
        if tree["type"] == nil, let items = tree["locations"]?.items, !items.isEmpty {
            // What Overland sends: its features without a collection around them.
            var features: [Feature] = []
            for (index, item) in items.enumerated() {
                do throws(JSONFault) {
                    features.append(try Feature(item, .degrees))
                } catch {
                    try aside(error.inside(.index(index)).inside(key: "locations"))
                }
            }
            return features
        }
        switch try tree.read("type", as: String.self) {
        case "FeatureCollection":
            let system = GeoJSONSystem(of: tree) ?? .degrees
            let items: JSONTree = try tree.read("features")
            guard case .list(let list) = items else {
                throw items.mismatch("an array").inside(key: "features")
            }
            var features: [Feature] = []
            features.reserveCapacity(list.count)
            for (index, item) in list.enumerated() {
                do throws(JSONFault) {
                    features.append(try Feature(item, system))
                } catch {
                    try aside(error.inside(.index(index)).inside(key: "features"))
                }
            }
            return features
        case "Feature": return [try Feature(tree, .degrees)]
        default:
            _ = try Geometry.type(of: tree)
            return [Feature(geometry: tree)]
        }
    }
}

extension GeoJSON.Geometry {
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

    /// A geometry; `nil` for a point that was set aside.
    init?(_ tree: JSONTree, _ positions: inout GeoJSONPositions) throws(JSONFault) {
        let type = try Self.type(of: tree)
        let key = type == "GeometryCollection" ? "geometries" : "coordinates"
        let content: JSONTree = try tree.read(key)
        let before = positions.aside
        do throws(JSONFault) {
            switch type {
            case "Point":
                guard let place = try positions.coordinate(content) else {
                    if before == 0 { positions.enter(key: key) }
                    return nil
                }
                self = .point(place)
            case "MultiPoint": self = .points(try positions.line(content))
            case "LineString": self = .line(try positions.line(content))
            case "MultiLineString": self = .lines(try positions.lines(content))
            case "Polygon":
                let outline = try positions.outline(content)
                self = .outlines(outline.isEmpty ? [] : [outline])
            case "MultiPolygon": self = .outlines(try positions.outlines(content))
            default:
                guard case .list(let items) = content else { throw content.mismatch("an array") }
                var parts: [Self] = []
                for (index, item) in items.enumerated() {
                    let before = positions.aside
                    do throws(JSONFault) {
                        if let part = try Self(item, &positions) { parts.append(part) }
                    } catch {
                        throw error.inside(.index(index))
                    }
                    if before == 0, positions.aside > 0 { positions.enter(index: index) }
                }
                self = .collection(parts)
            }
        } catch {
            throw error.inside(key: key)
        }
        if before == 0, positions.aside > 0 { positions.enter(key: key) }
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

    /// Polygons as a geometry, the outer ring of each first; null if there are none. Each ring is closed.
    public static func area(_ polygons: [[[Coordinate]]]) -> JSONTree {
        let shapes = polygons.map { rings in
            JSONTree.list(
                rings.map { ring in
                    let isClosed = ring.first == ring.last
                    return .list((isClosed ? ring : ring + ring.prefix(1)).map(position))
                })
        }
        return switch shapes.count {
        case 0: .null
        case 1: geometry("Polygon", shapes[0])
        default: geometry("MultiPolygon", .list(shapes))
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
