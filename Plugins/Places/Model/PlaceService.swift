import Geodesy
import PluginKit

/// Finds places by text: first among local names, then at the server.
struct PlaceService: PlaceFinding {
    /// Matches and their attribution.
    struct Found {
        var places: [PlaceObject]
        var attribution: String?
    }

    /// The matches, best first; throws an error of `PlaceErrors` where there are none.
    func search(
        _ text: String, query: PlaceQuery, online: Bool, context: Context
    ) async throws -> Found {
        let known = try await KnownPlaces(context: context).search(query)
        guard online || known.isEmpty else { return Found(places: known) }
        let geocoder = Geocoder(context: context)
        let answers: [PlaceObject]
        do {
            answers = try await geocoder.search(text, query: query)
        } catch let error as RutterError where query.radius != nil && error.kind == PlaceErrors.notConfigured
        {
            throw PlaceErrors.notConfigured(
                "no local name matches `\(text)` within \(Literal.quantity(.metres(query.radius ?? 0))), and no "
                    + "geocoding server is configured", fix: error.fix)
        }
        guard !known.isEmpty || !answers.isEmpty else {
            throw PlaceErrors.none(
                "no place matches `\(text)`", fix: "try fewer or other words, or write LAT,LON")
        }
        return Found(
            places: Array((known + answers).prefix(query.limit)),
            attribution: answers.isEmpty
                ? nil : "addresses: © OpenStreetMap contributors, by \(geocoder.server ?? "")")
    }

    /// The only place that matches a text.
    func place(named text: String, context: Context) async throws -> any DomainObject {
        let words = PlaceWords(text)
        guard !words.isEmpty else {
            throw PlaceErrors.text(
                "no word to search for in `\(text)`", fix: "write LAT,LON, @name, or a name")
        }
        let query = PlaceQuery(words, limit: PlaceSettings.candidates)
        let known = try await KnownPlaces(context: context).search(query)
        if let place = try PlaceChoice.choose(text, of: known) { return place }
        do {
            let answers = try await Geocoder(context: context).search(text, query: query)
            if let place = try PlaceChoice.choose(text, of: answers) { return place }
        } catch let error as RutterError where error.kind == PlaceErrors.notConfigured {
            var helpful = error
            helpful.fix = "write LAT,LON or @name; " + (error.fix ?? "")
            throw helpful
        }
        throw PlaceErrors.none(
            "no place matches `\(text)`", fix: "write LAT,LON or @name, or use place search")
    }
}

/// `@name` for places of regions and stops, unless an own object has this name.
struct PlaceReferences: ReferenceResolving {
    let kind = "place"
    let isFallback = true

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let words = PlaceWords(text)
        guard !words.isEmpty else { return [] }
        let found = try await KnownPlaces(context: context).search(
            PlaceQuery(words, limit: PlaceSettings.candidates))
        let exact = found.filter { PlaceWords.fold($0.place.name) == words.folded }
        guard let place = try PlaceChoice.choose(text, of: exact) else { return [] }
        return [reference(place)]
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        let words = PlaceWords(prefix)
        guard !words.isEmpty else { return [] }
        let found = try await KnownPlaces(context: context).search(
            PlaceQuery(words, limit: limit), leavesReferences: true)
        return found.map(reference)
    }

    private func reference(_ place: PlaceObject) -> Reference {
        Reference(name: place.place.name, detail: "\(place.place.kind), \(place.place.source)", object: place)
    }
}
