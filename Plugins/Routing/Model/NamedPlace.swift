import Foundation
import Geodesy

/// A place with a name on the map: a village, a peak, a hut.
package struct NamedPlace: Sendable, Hashable {
    /// Its OSM id.
    package var id: Int64
    package var name: String
    /// What it is, by the value of its tag, such as `peak`.
    package var kind: String
    package var at: Coordinate

    package init(id: Int64, name: String, kind: String, at: Coordinate) {
        (self.id, self.name, self.kind, self.at) = (id, name, kind, at)
    }

    /// The place of a node's tag; `nil` for what nobody sets out for.
    init?(id: Int64, name: String, key: String, value: String, at: Coordinate) {
        guard !name.isEmpty, Self.kinds[key]?.contains(value) == true else { return nil }
        self.init(id: id, name: name, kind: value == "yes" ? key : value, at: at)
    }

    /// The keys of tags that tell what a place is, the one that counts first.
    static let keys = ["place", "mountain_pass", "natural", "tourism", "railway", "amenity", "historic"]

    /// Their values that are kept.
    private static let kinds: [String: Set<String>] = [
        "place": [
            "city", "town", "village", "hamlet", "isolated_dwelling", "farm", "suburb", "quarter",
            "neighbourhood",
            "locality", "island",
        ],
        "mountain_pass": ["yes"],
        "natural": ["peak", "saddle", "spring", "cave_entrance", "hill", "ridge", "glacier", "waterfall"],
        "tourism": ["alpine_hut", "wilderness_hut", "camp_site", "viewpoint", "hostel", "attraction"],
        "railway": ["station", "halt", "tram_stop"],
        "amenity": ["shelter", "drinking_water", "place_of_worship", "ferry_terminal"],
        "historic": ["castle", "ruins", "monument"],
    ]
}

/// Finds places by what they are called.
package enum PlaceSearch {
    /// How well a name fits, the best first.
    private enum Fit: Int {
        case whole, beginning, word, part
    }

    /// The places whose names hold a text, whatever the case and the accents: those that are called so first, then
    /// those that begin so, then by name.
    package static func find(_ text: String, in places: [NamedPlace]) -> [NamedPlace] {
        let wanted = text.forSearch
        guard !wanted.isEmpty else { return [] }
        let hits = places.compactMap { place in
            fit(place.name.forSearch, wanted).map { (place: place, fit: $0.rawValue) }
        }
        return hits.sorted { left, right in
            (left.fit, left.place.name.count, left.place.name, left.place.id)
                < (right.fit, right.place.name.count, right.place.name, right.place.id)
        }.map(\.place)
    }

    /// The places that are called exactly so, but for case and accents.
    package static func named(_ text: String, in places: [NamedPlace]) -> [NamedPlace] {
        let wanted = text.forSearch
        return places.filter { $0.name.forSearch == wanted }
    }

    private static func fit(_ name: String, _ wanted: String) -> Fit? {
        if name == wanted { return .whole }
        if name.hasPrefix(wanted) { return .beginning }
        guard let range = name.range(of: wanted) else { return nil }
        return name[..<range.lowerBound].last?.isLetter == false ? .word : .part
    }
}

extension String {
    /// Without case and accents, as people type.
    fileprivate var forSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
