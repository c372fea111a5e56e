import Foundation
import Geodesy
import PluginKit

/// Functions of coordinates, on the sphere of the Geodesy module.
enum PlaceFunctions {
    static let all = [
        Function(
            "coordinate", "lat, lon  or  text",
            "make a coordinate from degrees or from text in any notation", 1...3,
            ("coordinate(46.5, 7.9)", "46.5,7.9"),
            ("coordinate('46°57′03.9″N 7°26′19.1″E')", "46.951083,7.438639"),
            ("coordinate('32TMT6198705285')", "47.000001,8.500003"),
            searchTerms: [
                "parse a coordinate", "degrees minutes seconds", "read a coordinate",
                "latitude and longitude columns", "make a point",
            ]
        ) { values, _ throws(RutterError) in try coordinate(values) },
        Function(
            "notation", "at, name",
            "write a coordinate as dms, utm, mgrs, swiss, british, pluscode or geohash", 2...2,
            ("notation(47.0,8.5, 'mgrs')", "32TMT 61987 05285"),
            ("notation(46.951083,7.438639, 'swiss')", "2600000 1200000"),
            ("notation(51.504336,-0.12718, 'british')", "TQ 30080 80040"),
            searchTerms: [
                "degrees minutes seconds", "convert coordinates", "utm", "lv95", "grid reference", "mgrs",
                "lat lon", "plus code", "grid",
            ]
        ) { values, _ throws(RutterError) in
            let place = try Argument.coordinate(values[0], "notation")
            let name = try Argument.text(values[1], "notation")
            guard let notation = CoordinateWriting(rawValue: name.lowercased()) else {
                let names = CoordinateWriting.allCases.map(\.rawValue)
                throw FunctionErrors.argument(
                    "`\(name.prefix(40))` is not a notation", fix: "one of: " + names.joined(separator: ", "),
                    suggestion: Suggestion.nearest(to: name, in: names))
            }
            guard let text = notation.text(place) else {
                throw FunctionErrors.argument("`\(name)` does not reach \(Literal.coordinate(place))")
            }
            return .text(text)
        },
        Function(
            "distance", "a, b", "measure the distance between two coordinates", 2...2,
            ("distance(46.5,7.9, 46.6,7.9)", "11.1km"),
            searchTerms: [
                "how far apart", "distance between two points", "as the crow flies", "straight line",
            ]
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "distance")
            return .quantity(.metres(a.distance(to: b)))
        },
        Function(
            "bearing", "a, b", "return the initial bearing from one coordinate to another", 2...2,
            ("bearing(46.5,7.9, 46.5,8.0)", "90deg"),
            searchTerms: ["direction between two points", "azimuth"]
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "bearing")
            // Between equal points there is no direction.
            if a.latitude == b.latitude, a.longitude == b.longitude { return .nothing }
            return .quantity(.degrees(a.bearing(to: b)))
        },
        Function(
            "destination", "start, bearing, distance", "return the coordinate at a bearing and distance",
            3...3,
            ("destination(0,0, 90deg, 100km)", "0,0.899068"), searchTerms: ["point at a distance"]
        ) { values, _ throws(RutterError) in
            let start = try Argument.coordinate(values[0], "destination")
            let bearing = try Argument.quantity(values[1], .angle, "destination")
            let distance = try Argument.quantity(values[2], .length, "destination")
            return .coordinate(start.destination(bearing: bearing, distance: distance))
        },
        Function(
            "midpoint", "a, b", "return the coordinate halfway between two others", 2...2,
            ("midpoint(0,0, 0,10)", "0,5"), searchTerms: ["halfway", "middle of two points"]
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "midpoint")
            return .coordinate(a.midpoint(to: b))
        },
        Function(
            "within", "at, box  or  at, centre, radius", "test whether a coordinate is in a box or circle",
            2...3,
            ("within(46.5,7.9, 46,7,47,8)", "true"), ("within(46.5,7.9, 46.6,7.9, 5km)", "false"),
            searchTerms: ["inside a box", "inside an area", "geofence"]
        ) { values, _ throws(RutterError) in
            let place = try Argument.coordinate(values[0], "within")
            guard values.count == 3 else {
                guard case .box(let box) = values[1] else {
                    throw Argument.wrong(values[1], "within", "a box, or a centre and a radius")
                }
                return .boolean(box.contains(place))
            }
            let centre = try Argument.coordinate(values[1], "within")
            let radius = try Argument.quantity(values[2], .length, "within")
            return .boolean(place.distance(to: centre) <= radius)
        },
    ]

    private static func coordinate(_ values: [Value]) throws(RutterError) -> Value {
        guard values.count > 1 else {
            if let place = values[0].asCoordinate { return .coordinate(place) }
            let text = try Argument.text(values[0], "coordinate")
            switch CoordinateText.read(shortGrid(text) ?? text) {
            case .coordinate(let place, _)?: return .coordinate(place)
            case .outOfRange(_, _, let swapped)?:
                throw FunctionErrors.argument(
                    "`\(text.prefix(60))` is out of range",
                    fix: swapped.map {
                        "latitude comes first; were the two swapped? \(Literal.coordinate($0))"
                    })
            case .eastOrWest(let east, let west)?:
                throw FunctionErrors.argument(
                    "O in `\(text.prefix(60))` is east in German, west in French, Italian, Portuguese and Spanish",
                    fix: "\(Literal.coordinate(east)), or \(Literal.coordinate(west))")
            case .shortPlusCode?:
                throw FunctionErrors.argument(
                    "`\(text.prefix(60))` is the end of a plus code",
                    fix: "write the whole code, such as 8FVC9G8F+6X")
            case nil:
                let bare = text.trimmingCharacters(in: .whitespaces)
                if isGeohash(bare), let place = Geohash.decode(bare) { return .coordinate(place) }
                throw FunctionErrors.argument(
                    "`\(text.prefix(60))` is not a coordinate",
                    fix:
                        "degrees, degrees and minutes, UTM, MGRS, Swiss or British grid, a plus code or a geohash"
                )
            }
        }
        let parts = try [degrees(values[0]), degrees(values[1])]
        var altitude: Double?
        if values.count == 3 {
            altitude = values[2].asNumber
            if altitude == nil { altitude = try Argument.quantity(values[2], .length, "coordinate") }
        }
        let place = Coordinate(latitude: parts[0], longitude: parts[1], altitude: altitude)
        try LiteralParser.check(place)
        return .coordinate(place)
    }

    /// `SU1234` as `SU 12 34`: a square of the British grid, where a search takes it for the number of a road.
    private static func shortGrid(_ text: String) -> String? {
        let bare = text.trimmingCharacters(in: .whitespaces)
        guard bare.utf8.count == 6, bare.prefix(2).allSatisfy({ $0.isASCII && $0.isUppercase }),
            bare.dropFirst(2).allSatisfy({ $0.isASCII && $0.isWholeNumber })
        else { return nil }
        return "\(bare.prefix(2)) \(bare.dropFirst(2).prefix(2)) \(bare.suffix(2))"
    }

    /// The letters of a geohash make words, too: it has a digit, small letters, and is good to 2.5 km at least.
    private static func isGeohash(_ text: String) -> Bool {
        text.utf8.count >= fewestLetters && text.contains(where: \.isWholeNumber)
            && !text.contains(where: \.isUppercase)
    }

    private static let fewestLetters = 5

    /// Degrees from a number, an angle or the text of a number.
    private static func degrees(_ value: Value) throws(RutterError) -> Double {
        if case .text(let text) = value,
            let number = Value(numberText: text.trimmingCharacters(in: .whitespaces))?.asNumber
        {
            return number
        }
        if let number = value.asNumber { return number }
        return try Argument.quantity(value, .angle, "coordinate")
    }

    private static func pair(_ values: [Value], _ name: String) throws(RutterError) -> (
        Coordinate, Coordinate
    ) {
        (try Argument.coordinate(values[0], name), try Argument.coordinate(values[1], name))
    }
}
