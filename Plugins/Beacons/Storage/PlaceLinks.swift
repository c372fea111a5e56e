import Foundation
import Geodesy

/// The links of maps in a text, one a line, for beacons.
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
        let isView: Bool
    }

    /// The links of a text, one a line; `nil` if it has none.
    static func links(in text: String) -> [Link]? {
        let links = text.split(whereSeparator: \.isNewline).compactMap { link(String($0)) }
        return links.isEmpty ? nil : links
    }

    private static func link(_ line: String) -> Link? {
        let starts = MapLink.schemes.compactMap { line.range(of: $0, options: .caseInsensitive)?.lowerBound }
        guard let start = starts.min(), let link = MapLink(String(line[start...].prefix { !$0.isWhitespace }))
        else { return nil }
        let before = String(line[..<start]).trimmingCharacters(in: CharacterSet(charactersIn: " \t:-–,"))
        let name = before.isEmpty ? link.name.flatMap(named) : named(before)
        return Link(text: link.text, coordinate: link.coordinate, name: name, isView: link.isView)
    }

    /// A name in one line; `nil` if it is blank.
    private static func named(_ text: String) -> String? {
        let name = text.inOneLine
        return name.isEmpty ? nil : String(name.prefix(longestName))
    }

    /// Characters of a name that are kept: a name has at most 200 bytes.
    private static let longestName = 50
}
