import Foundation

/// The objects of a GeoJSON file (RFC 7946), as far as journeys use them.
enum GeoJSONFile {
    struct Collection: Codable {
        var type = "FeatureCollection"
        var bbox: [Double]?
        /// Foreign members (section 6.1) about the whole.
        var name: String?
        var description: String?
        var author: String?
        var time: String?
        var features: [Feature]
    }

    struct Feature: Codable {
        var type = "Feature"
        var id: Identifier?
        var geometry: Geometry?
        var properties: Properties?

        init(id: Identifier?, geometry: Geometry?, properties: Properties) {
            self.id = id
            self.geometry = geometry
            self.properties = properties
        }

        private enum CodingKeys: String, CodingKey {
            case type, id, geometry, properties
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(type, forKey: .type)
            try container.encodeIfPresent(id, forKey: .id)
            // A feature without a place has a geometry of null, not none.
            try container.encode(geometry, forKey: .geometry)
            try container.encode(properties, forKey: .properties)
        }
    }

    /// A feature's identifier: a text or a number.
    enum Identifier: Codable {
        case text(String)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    /// A geometry; those of areas are read by their outlines.
    indirect enum Geometry {
        case point([Double])
        case points([[Double]])
        case line([[Double]])
        case lines([[[Double]]])
        case areas([[[[Double]]]])
        case collection([Geometry])
    }

    /// What a feature says of itself. The names of times and heart rates are those that toGeoJSON made common.
    struct Properties: Codable {
        var kind: String?
        var name: String?
        var desc: String?
        var cmt: String?
        var src: String?
        var link: String?
        var number: Int?
        var type: String?
        var sym: String?
        var time: String?
        var heartRate: Double?
        var coordTimes: Texts?
        var heartRates: Numbers?
        /// Fields that are none of these.
        var others: [String: Scalar] = [:]
    }

    /// One text for each point: a list for a line, a list of lists for several.
    enum Texts: Codable {
        case one([String?])
        case several([[String?]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let list = try? container.decode([String?].self) {
                self = .one(list)
            } else {
                self = .several(try container.decode([[String?]].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let list): try container.encode(list)
            case .several(let lists): try container.encode(lists)
            }
        }

        var lists: [[String?]] {
            switch self {
            case .one(let list): [list]
            case .several(let lists): lists
            }
        }
    }

    /// One number for each point.
    enum Numbers: Codable {
        case one([Double?])
        case several([[Double?]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let list = try? container.decode([Double?].self) {
                self = .one(list)
            } else {
                self = .several(try container.decode([[Double?]].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let list): try container.encode(list)
            case .several(let lists): try container.encode(lists)
            }
        }

        var lists: [[Double?]] {
            switch self {
            case .one(let list): [list]
            case .several(let lists): lists
            }
        }
    }

    /// A property of a kind that needs no knowledge.
    enum Scalar: Codable {
        case text(String)
        case number(Double)
        case flag(Bool)
        /// A list, an object or null: read over.
        case other

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.singleValueContainer() else {
                self = .other
                return
            }
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .other: try container.encodeNil()
            }
        }

        /// As text; `nil` for what is none.
        var text: String? {
            switch self {
            case .text(let text): text
            case .number(let number):
                number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : number.description
            case .flag(let flag): flag ? "true" : "false"
            case .other: nil
            }
        }
    }
}

extension GeoJSONFile.Geometry: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, coordinates, geometries
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        switch type {
        case "Point": self = .point(try container.decode([Double].self, forKey: .coordinates))
        case "MultiPoint": self = .points(try container.decode([[Double]].self, forKey: .coordinates))
        case "LineString": self = .line(try container.decode([[Double]].self, forKey: .coordinates))
        case "MultiLineString": self = .lines(try container.decode([[[Double]]].self, forKey: .coordinates))
        case "Polygon": self = .areas([try container.decode([[[Double]]].self, forKey: .coordinates)])
        case "MultiPolygon": self = .areas(try container.decode([[[[Double]]]].self, forKey: .coordinates))
        case "GeometryCollection":
            self = .collection(try container.decode([Self].self, forKey: .geometries))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container,
                debugDescription: "`\(type.prefix(40))` is no geometry of GeoJSON")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .point(let place):
            try container.encode("Point", forKey: .type)
            try container.encode(place, forKey: .coordinates)
        case .points(let places):
            try container.encode("MultiPoint", forKey: .type)
            try container.encode(places, forKey: .coordinates)
        case .line(let line):
            try container.encode("LineString", forKey: .type)
            try container.encode(line, forKey: .coordinates)
        case .lines(let lines):
            try container.encode("MultiLineString", forKey: .type)
            try container.encode(lines, forKey: .coordinates)
        case .areas(let areas):
            try container.encode("MultiPolygon", forKey: .type)
            try container.encode(areas, forKey: .coordinates)
        case .collection(let parts):
            try container.encode("GeometryCollection", forKey: .type)
            try container.encode(parts, forKey: .geometries)
        }
    }
}

extension GeoJSONFile.Properties {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    private static let own: Set<String> = [
        "kind", "name", "desc", "cmt", "src", "link", "number", "type", "sym", "time", "heartRate",
        "coordTimes", "heartRates",
    ]

    /// Reads leniently: a property of a known name and an unknown kind is taken for one that is not known.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func value<T: Decodable>(_ name: String, _ type: T.Type) -> T? {
            try? container.decodeIfPresent(type, forKey: Key(name))
        }
        kind = value("kind", String.self)
        name = value("name", String.self)
        desc = value("desc", String.self) ?? value("description", String.self)
        cmt = value("cmt", String.self)
        src = value("src", String.self)
        link = value("link", String.self)
        number = value("number", Int.self)
        type = value("type", String.self)
        sym = value("sym", String.self)
        time = value("time", String.self)
        heartRate = value("heartRate", Double.self)
        coordTimes = value("coordTimes", GeoJSONFile.Texts.self)
        heartRates = value("heartRates", GeoJSONFile.Numbers.self)
        for key in container.allKeys where !Self.own.contains(key.stringValue) {
            if key.stringValue == "description", desc != nil { continue }
            others[key.stringValue] = value(key.stringValue, GeoJSONFile.Scalar.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(kind, forKey: Key("kind"))
        try container.encodeIfPresent(name, forKey: Key("name"))
        try container.encodeIfPresent(desc, forKey: Key("desc"))
        try container.encodeIfPresent(cmt, forKey: Key("cmt"))
        try container.encodeIfPresent(src, forKey: Key("src"))
        try container.encodeIfPresent(link, forKey: Key("link"))
        try container.encodeIfPresent(number, forKey: Key("number"))
        try container.encodeIfPresent(type, forKey: Key("type"))
        try container.encodeIfPresent(sym, forKey: Key("sym"))
        try container.encodeIfPresent(time, forKey: Key("time"))
        try container.encodeIfPresent(heartRate, forKey: Key("heartRate"))
        try container.encodeIfPresent(coordTimes, forKey: Key("coordTimes"))
        try container.encodeIfPresent(heartRates, forKey: Key("heartRates"))
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where !Self.own.contains(name) {
            try container.encode(value, forKey: Key(name))
        }
    }
}
