import Foundation
import Geodesy

/// Links of maps with a place: `geo:` (RFC 5870, and as phones share it), and those of OpenStreetMap, Apple's and Google's maps.
enum PlaceLinks {
    /// A link of a text.
    struct Link: Sendable, Hashable {
        /// As it is written.
        let text: String
        /// Where it points; `nil` if it says no place.
        let coordinate: Coordinate?
        /// What it, or the text before it in its line, calls the place.
        let name: String?
        /// Whether the place is the middle of a map's view, where nothing is marked.
        var isView = false
    }

    private static let schemes = ["geo:", "https://", "http://"]
    /// Parameters with a marked place as `LAT,LON`.
    private static let marks = ["q", "query", "ll", "daddr", "destination", "coordinate"]
    /// Parameters with the name of a place.
    private static let names = ["q", "query", "name", "address"]

    /// The links of a text, one a line; `nil` if it has none.
    static func links(in text: String) -> [Link]? {
        let links = text.split(whereSeparator: \.isNewline).compactMap { link(String($0)) }
        return links.isEmpty ? nil : links
    }

    private static func link(_ line: String) -> Link? {
        let starts = schemes.compactMap { line.range(of: $0, options: .caseInsensitive)?.lowerBound }
        guard let start = starts.min() else { return nil }
        let text = String(line[start...].prefix { !$0.isWhitespace })
        let before = String(line[..<start]).trimmingCharacters(in: CharacterSet(charactersIn: " \t:-–,"))
        let isGeo = text.lowercased().hasPrefix("geo:")
        var link = isGeo ? geo(text) : web(text)
        if !before.isEmpty {
            link = Link(text: text, coordinate: link.coordinate, name: named(before), isView: link.isView)
        }
        return link
    }

    private static func geo(_ text: String) -> Link {
        var spot: Coordinate?
        if case .coordinate(let found, _)? = CoordinateText.read(text) { spot = found.withoutAltitude }
        let query = parameters(text)["q"] ?? ""
        // `q=46.5,7.9(Hut)`: the label in brackets.
        if let open = query.firstIndex(of: "("), query.hasSuffix(")") {
            if spot == nil { spot = pair(String(query[..<open])) }
            return Link(
                text: text, coordinate: spot,
                name: named(String(query[query.index(after: open)...].dropLast())))
        }
        return Link(text: text, coordinate: spot, name: pair(query) == nil ? named(query) : nil)
    }

    private static func web(_ text: String) -> Link {
        let parameters = parameters(text)
        var mark: Coordinate?
        if let latitude = parameters["mlat"], let longitude = parameters["mlon"] {
            mark = pair("\(latitude),\(longitude)")
        }
        // Google's form of a place: `!3d46.5!4d7.9`, beside the view's `@46.4,7.8,15z`.
        if mark == nil, let latitude = number(after: "!3d", in: text),
            let longitude = number(after: "!4d", in: text)
        {
            mark = place(latitude, longitude)
        }
        mark = mark ?? marks.lazy.compactMap { parameters[$0].flatMap(pair) }.first
        let name =
            names.lazy.compactMap { parameters[$0].flatMap { pair($0) == nil ? named($0) : nil } }.first
            ?? placeName(text)
        if let mark { return Link(text: text, coordinate: mark, name: name) }
        return Link(text: text, coordinate: view(text), name: name, isView: true)
    }

    /// The middle of a view: `@46.5,7.9,15z`, `#map=15/46.5/7.9`.
    private static func view(_ text: String) -> Coordinate? {
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
        guard let place = text.range(of: "/place/") else { return nil }
        let raw = String(text[place.upperBound...].prefix { $0 != "/" && $0 != "?" })
        let name = decoded(raw)
        return pair(name) == nil ? named(name) : nil
    }

    /// The decoded parameters after the question mark, each once.
    private static func parameters(_ text: String) -> [String: String] {
        guard let mark = text.firstIndex(of: "?") else { return [:] }
        var found: [String: String] = [:]
        for part in text[text.index(after: mark)...].prefix(while: { $0 != "#" }).split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let key = sides[0].lowercased()
            if found[key] == nil { found[key] = decoded(String(sides[1])) }
        }
        return found
    }

    private static func decoded(_ text: String) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }

    /// A name in one line; `nil` if it is blank.
    private static func named(_ text: String) -> String? {
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return name.isEmpty ? nil : String(name.prefix(longestName))
    }

    /// Characters of a name that are kept: a name has at most 200 bytes.
    private static let longestName = 50

    /// Two plain numbers, latitude first.
    private static func pair(_ text: String) -> Coordinate? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return place(latitude, longitude)
    }

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }

    private static func number(after mark: String, in text: String) -> Double? {
        guard let start = text.range(of: mark, options: .backwards)?.upperBound else { return nil }
        return Double(String(text[start...].prefix { $0.isNumber || $0 == "." || $0 == "-" }))
    }
}
