import Foundation

/// A link of a map: `geo:` (RFC 5870, and as phones share it), and those of OpenStreetMap, Apple's, Google's and other maps.
public struct MapLink: Sendable, Hashable {
    /// As it is written.
    public let text: String
    /// What it calls the place, decoded; `nil` if it has no name.
    public let name: String?
    /// Whether the place is the middle of a map's view, where nothing is marked.
    public let isView: Bool
    /// The angles of its place, which may be out of range; `nil` if it says none.
    let reading: CoordinateText.Reading?

    /// Where it points; `nil` if it says no place, or one that is none.
    public var coordinate: Coordinate? {
        if case .coordinate(let place, _)? = reading { place } else { nil }
    }

    /// The beginnings of links, which have no case.
    public static let schemes =
        ["geo:", "https://", "http://", "om://", "ge0://", "comgooglemaps://", "google.navigation:"]
    /// Parameters with a marked place as `LAT,LON`.
    private static let marks = [
        "q", "query", "ll", "daddr", "destination", "coordinate", "pin", "where1",
    ]
    /// Pairs of parameters with the latitude and the longitude of a place.
    private static let pairs = [
        ("lat", "lon"), ("lat", "lng"), ("lat", "long"), ("latitude", "longitude"),
    ]
    /// Parameters of a view's scale: with one, the place of such a pair is its middle.
    private static let scales = ["z", "zoom"]
    /// Parts of the names of hosts whose parameters have the longitude first, and these parameters: of marks, and of views.
    private static let reversedHosts: [(part: String, marks: [String], views: [String])] = [
        ("yandex", ["pt", "whatshere[point]"], ["ll"]), ("mapy", ["id"], []), ("2gis", [], ["m"]),
        ("geoportail", [], ["c"]),
    ]
    /// The parameters of a view's longitude and latitude of such a host.
    private static let reversedPair = ("x", "y")
    /// Hosts of short links that have the place in their letters.
    private static let ge0Hosts = ["omaps", "ge0", "comaps"]
    /// The part of the name of the host whose parameters are eastings and northings of the Swiss grid, in metres.
    private static let swissHost = "admin"
    private static let swissPairs = [("e", "n"), ("y", "x")]
    /// Parameters with the middle of a view as `LAT,LON`.
    private static let views = ["center", "viewpoint", "sll", "cp", "map"]
    /// What marks two numbers as a place in a search: `q=loc:46.5,7.9`.
    private static let locationMark = "loc:"
    /// Parameters with the name of a place.
    private static let names = ["q", "query", "name", "address"]

    /// Reads a link; `nil` for a text that does not begin like one.
    public init?(_ text: String) {
        guard Self.isLink(text) else { return nil }
        self = text.lowercased().hasPrefix("geo:") ? Self.geo(text) : Self.web(text)
    }

    /// Whether a text begins like a link.
    static func isLink(_ text: String) -> Bool {
        let lower = text.lowercased()
        return schemes.contains(where: lower.hasPrefix)
    }

    private init(text: String, reading: CoordinateText.Reading?, name: String?, isView: Bool = false) {
        (self.text, self.reading, self.name, self.isView) = (text, reading, name, isView)
    }

    private static func geo(_ text: String) -> MapLink {
        var spot: CoordinateText.Reading?
        if case .coordinate(let found, let notation)? = CoordinateText.read(text) {
            spot = .coordinate(found.withoutAltitude, notation)
        }
        let query = parameters(text)["q"] ?? ""
        // `q=46.5,7.9(Hut)`: the label in brackets.
        if let open = query.firstIndex(of: "("), query.hasSuffix(")") {
            return MapLink(
                text: text, reading: spot ?? place(String(query[..<open])),
                name: String(query[query.index(after: open)...].dropLast()))
        }
        return MapLink(text: text, reading: spot, name: place(query) == nil ? query : nil)
    }

    private static func web(_ text: String) -> MapLink {
        let parameters = parameters(text)
        var mark: CoordinateText.Reading?
        if let latitude = parameters["mlat"], let longitude = parameters["mlon"] {
            mark = place("\(latitude),\(longitude)")
        }
        // Google's form of a place: `!3d46.5!4d7.9`, beside the view's `@46.4,7.8,15z`.
        if mark == nil, let latitude = number(after: "!3d", in: text),
            let longitude = number(after: "!4d", in: text)
        {
            mark = place("\(latitude),\(longitude)")
        }
        let host = host(text)
        if let short = short(text, host) { return short }
        if let rule = reversedHosts.first(where: { host.contains(Substring($0.part)) }) {
            return reversed(text, parameters, marks: rule.marks, views: rule.views)
        }
        if host.contains(Substring(swissHost)), let found = swiss(parameters) {
            return MapLink(text: text, reading: found, name: nil, isView: true)
        }
        mark = mark ?? bingPoint(parameters["sp"]) ?? pathPlace(text)
        mark = mark ?? marks.lazy.compactMap { parameters[$0].flatMap(place) }.first
        let split = pairs.lazy.compactMap { first, second in
            parameters[first].flatMap { latitude in
                parameters[second].flatMap { place("\(latitude),\($0)") }
            }
        }.first
        let isScaled = scales.contains { parameters[$0] != nil }
        if !isScaled { mark = mark ?? split }
        let name =
            names.lazy.compactMap { parameters[$0].flatMap { place($0) == nil ? $0 : nil } }.first {
                !$0.isBlank
            }
            ?? placeName(text)
        if let mark { return MapLink(text: text, reading: mark, name: name) }
        // The scale may follow: `map=46.5,7.9,15,normal`.
        let middle = views.lazy.compactMap { name in
            parameters[name].flatMap { pair($0.split(separator: ",").prefix(2).joined(separator: ",")) }
        }.first
        return MapLink(text: text, reading: middle ?? split ?? view(text), name: name, isView: true)
    }

    /// The parts of the name of the host.
    private static func host(_ text: String) -> [Substring] {
        let rest = text.lowercased().firstRange(of: "://").map { text.lowercased()[$0.upperBound...] } ?? ""
        return rest.prefix { !"/?#".contains($0) }.split(separator: ".")
    }

    /// A short link that has the place in its letters.
    private static func short(_ text: String, _ host: [Substring]) -> MapLink? {
        let lower = text.lowercased()
        if lower.contains("osm.org/go/") || lower.contains("openstreetmap.org/go/"),
            let go = text.range(of: "/go/", options: .caseInsensitive)
        {
            let code = text[go.upperBound...].prefix { !"/?#".contains($0) }
            guard let place = ShortMapLink.openStreetMap(code) else { return nil }
            let query = text[go.upperBound...].drop { $0 != "?" }.dropFirst()
            let isMarked = query.split(separator: "&").contains { $0.prefix { $0 != "=" } == "m" }
            return MapLink(text: text, reading: .coordinate(place, .decimal), name: nil, isView: !isMarked)
        }
        let isApp = lower.hasPrefix("om://") || lower.hasPrefix("ge0://")
        guard isApp || ge0Hosts.contains(where: { host.contains(Substring($0)) }),
            let start = text.firstRange(of: "://")
        else { return nil }
        let parts = text[start.upperBound...].split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst(isApp ? 0 : 1)
        guard let code = parts.first, let place = ShortMapLink.ge0(code.prefix { !"?#".contains($0) }) else {
            return nil
        }
        // Blanks and underscores have changed places.
        let name = parts.dropFirst().first.map { String($0.prefix { !"?#".contains($0) }) }
        return MapLink(
            text: text, reading: .coordinate(place, .decimal),
            name: name.map { decoded($0.replacing("_", with: " ")) })
    }

    /// The middle of a view in the Swiss grid.
    private static func swiss(_ parameters: [String: String]) -> CoordinateText.Reading? {
        let texts =
            swissPairs.compactMap { east, north in
                parameters[east].flatMap { east in parameters[north].map { "\(east) \($0)" } }
            } + ["center"].compactMap { parameters[$0]?.replacing(",", with: " ") }
        return texts.lazy.compactMap(SwissGrid.read).first
    }

    /// Bing's form of a mark: `point.46.5_7.9_Hut`.
    private static func bingPoint(_ text: String?) -> CoordinateText.Reading? {
        guard let text, text.lowercased().hasPrefix("point.") else { return nil }
        let parts = text.dropFirst("point.".count).split(separator: "_")
        return parts.count >= 2 ? place("\(parts[0]),\(parts[1])") : nil
    }

    /// Parts of a path before which a place is marked.
    private static let pathMarks = ["/place/", "/search/", "/dir/", "/l/"]

    /// The last place of a path: `/place/46.5,7.9`, `/dir/46.4,7.8/46.5,7.9`, `/l/46.5,7.9,Hut`.
    private static func pathPlace(_ text: String) -> CoordinateText.Reading? {
        guard let start = pathMarks.lazy.compactMap({ text.firstRange(of: $0) }).first else { return nil }
        let parts = text[start.upperBound...].prefix { !"?#".contains($0) }.split(separator: "/")
            .filter { !$0.hasPrefix("@") && !$0.hasPrefix("data=") }
        guard let last = parts.last.map({ decoded(String($0)) }) else { return nil }
        let numbers = last.split(separator: ",").prefix(2).joined(separator: ",")
        return place(last) ?? place(numbers)
    }

    /// A link of a map that writes the longitude first.
    private static func reversed(
        _ text: String, _ parameters: [String: String], marks: [String], views: [String]
    ) -> MapLink {
        func turned(_ name: String) -> CoordinateText.Reading? {
            // Several marks are divided by `~`, and the look or the scale of one follows its angles.
            let numbers = (parameters[name] ?? "").prefix { !"~/".contains($0) }.split(separator: ",")
            return numbers.count >= 2 ? place("\(numbers[1]),\(numbers[0])") : nil
        }
        let name = parameters["text"].flatMap { place($0) == nil ? $0 : nil }
        if let mark = marks.lazy.compactMap(turned).first ?? parameters["q"].flatMap(place) {
            return MapLink(text: text, reading: mark, name: name)
        }
        let pair = parameters[reversedPair.0].flatMap { x in
            parameters[reversedPair.1].flatMap { place("\($0),\(x)") }
        }
        return MapLink(
            text: text, reading: views.lazy.compactMap(turned).first ?? pair, name: name, isView: true)
    }

    /// The middle of a view: `@46.5,7.9,15z`, `#map=15/46.5/7.9`.
    private static func view(_ text: String) -> CoordinateText.Reading? {
        if let at = text.range(of: "/@") {
            let numbers = text[at.upperBound...].prefix { $0 != "/" && $0 != "?" }.split(separator: ",")
            return numbers.count >= 2 ? pair("\(numbers[0]),\(numbers[1])") : nil
        }
        // `#15/46.5/7.9` too.
        guard let map = text.range(of: "map=") ?? text.range(of: "#") else { return nil }
        let parts = text[map.upperBound...].prefix { $0 != "&" }.split(separator: "/")
        return parts.count >= 3 ? pair("\(parts[1]),\(parts[2])") : nil
    }

    /// The name in a path `/place/Hut+on+the+hill/`.
    private static func placeName(_ text: String) -> String? {
        guard let path = text.range(of: "/place/") else { return nil }
        let name = decoded(String(text[path.upperBound...].prefix { $0 != "/" && $0 != "?" }))
        return place(name) == nil ? name : nil
    }

    /// The decoded parameters after the question mark and after the number sign, each once.
    private static func parameters(_ text: String) -> [String: String] {
        let start =
            text.firstIndex { "?#".contains($0) }
            ?? (text.lowercased().hasPrefix("google.navigation:") ? text.firstIndex(of: ":") : nil)
        guard let start else { return [:] }
        var found: [String: String] = [:]
        for part in text[text.index(after: start)...].split(whereSeparator: { "&?#".contains($0) }) {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let key = decoded(String(sides[0])).lowercased()
            if found[key] == nil { found[key] = decoded(String(sides[1])) }
        }
        return found
    }

    private static func decoded(_ text: String) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }

    /// Two numbers that are a place, latitude first: plain, with letters or with degrees and minutes.
    private static func place(_ text: String) -> CoordinateText.Reading? {
        guard let reading = pair(text) ?? angles(text), case .coordinate = reading else { return nil }
        return reading
    }

    /// Two angles with letters, also after a name: `Hut@46.5,7.9`.
    private static func angles(_ text: String) -> CoordinateText.Reading? {
        if let at = text.lastIndex(of: "@") { return pair(String(text[text.index(after: at)...])) }
        let hasLetters = text.contains { "NSns".contains($0) } && text.contains { "EWew".contains($0) }
        return hasLetters ? AnglePair.read(text) : nil
    }

    /// Two plain numbers, latitude first.
    private static func pair(_ text: String) -> CoordinateText.Reading? {
        let marked = text.lowercased().hasPrefix(locationMark)
        let body = text.dropFirst(marked ? locationMark.count : 0)
        // `q=loc:46.5+7.9` has a blank between them.
        let isSpaced = marked && !body.contains(",")
        let divider: Character = isSpaced ? " " : body.contains("~") ? "~" : ","
        let numbers = body.split(separator: divider, omittingEmptySubsequences: false)
            .map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return CoordinateText.reading(latitude, longitude, .decimal)
    }

    private static func number(after mark: String, in text: String) -> Double? {
        guard let start = text.range(of: mark, options: .backwards)?.upperBound else { return nil }
        return Double(String(text[start...].prefix { $0.isNumber || $0 == "." || $0 == "-" }))
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
