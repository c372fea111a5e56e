import PluginKit

/// A house by another name of its street: its address has only one of them, as in `6th Avenue 1200`, which is Avenue of the
/// Americas 1200.
struct HouseOnStreet {
    /// The readings of a text: a number, and the name of a street.
    private let readings: [(number: String, street: PlaceWords)]
    /// The most streets of a name that are looked at.
    private static let mostStreets = 5

    /// The readings of a text; `nil` if it has no number.
    init?(_ text: String) {
        let words = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        guard words.count > 1 else { return nil }
        readings = words.indices.compactMap { index in
            guard words[index].first?.isNumber ?? false else { return nil }
            let street = PlaceWords((words[..<index] + words[(index + 1)...]).joined(separator: " "))
            return street.isEmpty ? nil : (words[index], street)
        }
        guard !readings.isEmpty else { return nil }
    }

    /// The houses, by the first reading that has some.
    func matches(_ places: KnownPlaces, _ limit: Int) async throws -> [PlaceMatch] {
        for reading in readings {
            let streets = try await places.search(PlaceQuery(reading.street, limit: Self.mostStreets)).filter
            {
                $0.quality.manner == .otherName
            }
            for street in streets {
                let address = PlaceWords("\(street.name) \(reading.number)")
                let found = try await places.search(
                    PlaceQuery(
                        address, near: street.coordinate, radius: PlaceSettings.insideRadius,
                        kinds: [PlaceIndex.addressKind],
                        limit: limit)
                ).filter { !$0.quality.manner.isGuess }
                if !found.isEmpty {
                    return found.map { match in
                        var quality = match.quality
                        quality.manner = .otherName
                        quality.score *= street.score
                        return PlaceMatch(place: match.place, quality: quality, distance: nil)
                    }
                }
            }
        }
        return []
    }
}
