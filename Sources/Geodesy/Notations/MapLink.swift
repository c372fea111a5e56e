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
    public static let schemes = ["geo:", "https://", "http://"]
    /// Parameters with a marked place as `LAT,LON`.
    private static let marks = ["q", "query", "ll", "daddr", "destination", "coordinate", "pin"]
    /// Pairs of parameters with the latitude and the longitude of a place.
    private static let pairs = [
        ("lat", "lon"), ("lat", "lng"), ("lat", "long"), ("latitude", "longitude"),
    ]
    /// Parameters of a view's scale: with one, the place of such a pair is its middle.
    private static let scales = ["z", "zoom"]
    /// A part of the names of hosts whose parameters have the longitude first, and these parameters: a mark, and a view.
    private static let reversedHost = "yandex"
    private static let reversedMarks = ["pt", "whatshere[point]"]
    private static let reversedView = "ll"
    /// Parameters with the middle of a view as `LAT,LON`.
    private static let views = ["center", "viewpoint", "sll"]
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
        if isReversed(text) { return reversed(text, parameters) }
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
        let middle = views.lazy.compactMap { parameters[$0].flatMap(pair) }.first
        return MapLink(text: text, reading: middle ?? split ?? view(text), name: name, isView: true)
    }

    private static func isReversed(_ text: String) -> Bool {
        let host = text.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        return host.lowercased().split(separator: ".").contains { $0 == reversedHost }
    }

    /// A link of a map that writes the longitude first.
    private static func reversed(_ text: String, _ parameters: [String: String]) -> MapLink {
        func turned(_ name: String) -> CoordinateText.Reading? {
            // Several marks are divided by `~`, and the look of one follows its angles.
            let numbers = (parameters[name] ?? "").prefix { $0 != "~" }.split(separator: ",")
            return numbers.count >= 2 ? place("\(numbers[1]),\(numbers[0])") : nil
        }
        let name = parameters["text"].flatMap { place($0) == nil ? $0 : nil }
        if let mark = reversedMarks.lazy.compactMap(turned).first {
            return MapLink(text: text, reading: mark, name: name)
        }
        return MapLink(text: text, reading: turned(reversedView), name: name, isView: true)
    }

    /// The middle of a view: `@46.5,7.9,15z`, `#map=15/46.5/7.9`.
    private static func view(_ text: String) -> CoordinateText.Reading? {
        if let at = text.range(of: "/@") {
            let numbers = text[at.upperBound...].prefix { $0 != "/" && $0 != "?" }.split(separator: ",")
            return numbers.count >= 2 ? pair("\(numbers[0]),\(numbers[1])") : nil
        }
        guard let map = text.range(of: "map=") else { return nil }
        let parts = text[map.upperBound...].prefix { $0 != "&" }.split(separator: "/")
        return parts.count >= 3 ? pair("\(parts[1]),\(parts[2])") : nil
    }

    /// The name in a path `/place/Hut+on+the+hill/`.
    private static func placeName(_ text: String) -> String? {
        guard let path = text.range(of: "/place/") else { return nil }
        let name = decoded(String(text[path.upperBound...].prefix { $0 != "/" && $0 != "?" }))
        return place(name) == nil ? name : nil
    }

    /// The decoded parameters after the question mark, each once.
    private static func parameters(_ text: String) -> [String: String] {
        guard let mark = text.firstIndex(of: "?") else { return [:] }
        var found: [String: String] = [:]
        for part in text[text.index(after: mark)...].prefix(while: { $0 != "#" }).split(separator: "&") {
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

    /// Two plain numbers that are a place, latitude first.
    private static func place(_ text: String) -> CoordinateText.Reading? {
        guard let reading = pair(text), case .coordinate = reading else { return nil }
        return reading
    }

    /// Two plain numbers, latitude first.
    private static func pair(_ text: String) -> CoordinateText.Reading? {
        let marked = text.lowercased().hasPrefix(locationMark)
        let body = text.dropFirst(marked ? locationMark.count : 0)
        // `q=loc:46.5+7.9` has a blank between them.
        let isSpaced = marked && !body.contains(",")
        let numbers = body.split(separator: isSpaced ? " " : ",", omittingEmptySubsequences: false)
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
