import Geodesy
import PluginKit

/// Finds places by text: coordinates, then local names, then the server.
struct PlaceService: PlaceFinding {
    /// Matches with notes.
    struct Found {
        var places: [PlaceObject]
        var note: String?
        /// Whether distances are from a requested coordinate.
        var showsDistance = false
    }

    /// The options of a search.
    struct Options {
        var near: Coordinate?
        /// The default centre of a search: the centre of the last map.
        fileprivate(set) var hint: Coordinate?
        var radius: Double?
        var area: PlaceArea?
        var category: PlaceCategories.Category?
        var limit: Int
        /// Whether the server is queried even if a local name matches.
        var online = false
        /// Whether the server is never queried, as during typing.
        var isLocal = false
    }

    /// The matches, best first; throws an error of `PlaceErrors` if there are none.
    func search(_ text: String, _ options: Options, context: Context) async throws -> Found {
        let typed = PlaceText(text)
        let coordinates = try await typed.coordinates(context)
        if !coordinates.isEmpty {
            let isDoubtful = coordinates.count > 1
            return Found(
                places: coordinates.map { PlaceObject($0) },
                note: isDoubtful ? "`\(text)` may be of either grid" : nil)
        }
        guard options.category != nil || !typed.words.isEmpty else {
            throw PlaceErrors.text("no word to search for in `\(text)`", fix: "write a name, or --kind")
        }
        var options = options
        options.near = options.near ?? typed.near
        options.radius = options.radius ?? typed.radius
        if options.near == nil, options.area == nil, let map = context.shownMap.view,
            map.zoom >= PlaceSettings.leastMapZoom
        {
            options.hint = map.center
        }
        var (known, about) = try await local(typed, options, context)
        if known.allSatisfy(\.quality.manner.isGuess), let house = AddressUnit.without(typed.text) {
            let (found, note) = try await local(PlaceText(house), options, context)
            if !found.allSatisfy(\.quality.manner.isGuess) {
                (known, about) = (found.map(Self.withoutKindWord), note)
            }
        }
        if options.category == nil, known.allSatisfy(\.quality.manner.isGuess) {
            let houses = try await HouseOnStreet(typed.text)?.matches(
                KnownPlaces(context: context), options.limit)
            if let houses, !houses.isEmpty { (known, about) = (houses, nil) }
        }
        let sure = known.filter { !$0.quality.manner.isGuess }
        let hasServer = !options.isLocal && Geocoder(context: context).server != nil
        if !options.online, !sure.isEmpty || (!known.isEmpty && !hasServer) {
            return Found(
                places: known.map { PlaceObject($0) },
                note: Rows.note([
                    Self.note(areGuesses: sure.isEmpty, byMap: options.hint != nil && known.count > 1), about,
                    Self.note(of: options.category),
                ]),
                showsDistance: options.hint == nil && known.contains { $0.distance != nil })
        }
        return try await asked(typed, known, options, context)
    }

    private static func note(areGuesses: Bool, byMap: Bool) -> String? {
        Rows.note([
            areGuesses ? "no name has all of these words as written; these are similar" : nil,
            byMap ? "places near the last map come first; use --near LAT,LON for another centre" : nil,
        ])
    }

    /// What is missing among the places of a kind.
    private static func note(of category: PlaceCategories.Category?) -> String? {
        guard let category, !TagKinds.areFoundNameless(category) else { return nil }
        return "\(category.word): only objects with a name are kept"
    }

    /// Appends the server's matches to the local ones.
    private func asked(
        _ typed: PlaceText, _ known: [PlaceMatch], _ options: Options, _ context: Context
    ) async throws -> Found {
        let geocoder = Geocoder(context: context)
        if options.isLocal, let server = geocoder.server {
            throw PlaceErrors.none(
                "no local name matches `\(typed.text)`", fix: "omit --local to query \(server)")
        }
        guard geocoder.server != nil else {
            throw try await PlaceErrors.missing(
                typed.text, of: options.category, options.near, context)
        }
        let query = PlaceQuery(typed.words, near: options.near, radius: options.radius, limit: options.limit)
        let sure = known.filter { !$0.quality.manner.isGuess }
        let local = (options.online ? sure : known).map { PlaceObject($0) }
        do {
            let answers = try await geocoder.search(typed.text, query: query)
            let all = sure.map { PlaceObject($0) } + answers
            guard !all.isEmpty || !local.isEmpty else {
                throw PlaceErrors.none(
                    "no place matches `\(typed.text)`", fix: "try fewer or other words, or write LAT,LON")
            }
            let source = "addresses: © OpenStreetMap contributors, by \(geocoder.server ?? "")"
            return Found(
                places: Array((all.isEmpty ? local : all).prefix(options.limit)),
                note: answers.isEmpty ? nil : source, showsDistance: options.near != nil)
        } catch let error as RutterError where !local.isEmpty && error.kind == PlaceErrors.network {
            return Found(places: local, note: error.message, showsDistance: options.near != nil)
        }
    }

    private func local(
        _ typed: PlaceText, _ options: Options, _ context: Context
    ) async throws -> (found: [PlaceMatch], note: String?) {
        let places = KnownPlaces(context: context)
        func query(
            _ words: PlaceWords, near: Coordinate?, radius: Double?, area: PlaceArea?,
            _ category: PlaceCategories.Category?
        ) -> PlaceQuery {
            PlaceQuery(
                words, near: near, radius: radius, area: area, kinds: category?.kinds, limit: options.limit)
        }
        if options.category == nil, let request = typed.request ?? typed.unlistedRequest,
            let answer = try await ofKind(request, isListed: typed.request != nil, typed, options, places)
        {
            return answer
        }
        if options.category == nil, let crossing = typed.crossing {
            let found = try await places.search(
                PlaceQuery(
                    crossing, near: options.near ?? options.hint, radius: options.radius, area: options.area,
                    kinds: [StreetPair.kind], limit: options.limit))
            let isWhole = try await places.search(PlaceQuery(typed.words, limit: 1)).first?.score == 1
            if !found.isEmpty, !isWhole { return (found, nil) }
        }
        var found: [PlaceMatch] = []
        if !typed.words.isEmpty {
            found = try await places.search(
                query(
                    typed.words, near: options.near ?? options.hint, radius: options.radius,
                    area: options.area,
                    options.category))
        }
        if options.category == nil, PlaceCategories.category(typed.words) == nil,
            found.allSatisfy(\.quality.manner.isGuess)
        {
            // No name has all words: one of them may be the kind.
            var similar: [PlaceMatch] = []
            for (category, name) in PlaceCategories.besideName(typed.words) {
                let ofKind = try await places.search(
                    query(
                        name, near: options.near ?? options.hint, radius: options.radius, area: options.area,
                        category))
                let sure = ofKind.filter { !$0.quality.manner.isGuess }
                // The beginning of a word beside a kind is too little: Streetly Chapel is not at Church Street.
                let whole = sure.filter { $0.quality.words == 1 }
                if !whole.isEmpty { return (whole, nil) }
                similar += sure.map(Self.withoutKindWord)
            }
            if !similar.isEmpty {
                var seen: Set<NamedPlace> = []
                let all = (found + similar).sorted { $0.isBetter(than: $1) }
                found = Array(all.filter { seen.insert($0.place).inserted }.prefix(options.limit))
            }
        }
        let named = typed.near == nil ? PlaceCategories.wholeText : PlaceCategories.category
        var category = typed.words.isEmpty ? options.category : named(typed.words)
        // A word that is no name may be a kind of tags alone.
        if category == nil, typed.near != nil || found.isEmpty {
            category = PlaceCategories.unlisted(typed.words)
        }
        var note: String?
        if options.category == nil || typed.words.isEmpty, let category {
            var seen: Set<NamedPlace> = []
            let all: [PlaceMatch]
            if let near = options.near {
                // One who says where wants what is near, whatever it is called.
                let ofKind = try await places.nearest(
                    category.kinds, to: near, within: options.radius, area: options.area, limit: options.limit
                )
                note = ofKind.isEmpty || options.category != nil ? nil : Self.note(of: category)
                all = ofKind + found
            } else {
                // A word for a kind finds objects of the kind, first those with it as their name.
                let ofKind = try await places.search(
                    query(
                        PlaceWords(""), near: options.hint, radius: options.radius, area: options.area,
                        category))
                all = found.filter { $0.score == 1 && $0.rank < PlaceSettings.namelessRank } + ofKind + found
            }
            found = Array(all.filter { seen.insert($0.place).inserted }.prefix(options.limit))
        }
        return (found, note)
    }

    /// A match of the words beside a kind as one of the whole text, of which the name has not all words.
    private static func withoutKindWord(_ match: PlaceMatch) -> PlaceMatch {
        var quality = match.quality
        quality.score *= PlaceSettings.besideKind
        quality.manner = .partial
        return PlaceMatch(place: match.place, quality: quality, distance: match.distance)
    }

    /// The places of a kind near or inside another one; `nil` where the text is a name instead: it is that of a place, no place
    /// is called as it asks, or no region has a kind that is not listed.
    private func ofKind(
        _ request: PlaceCategories.Request, isListed: Bool, _ typed: PlaceText, _ options: Options,
        _ places: KnownPlaces
    ) async throws -> (found: [PlaceMatch], note: String?)? {
        let isWhole = try await places.search(PlaceQuery(typed.words, limit: 1)).first?.score == 1
        guard !isWhole, let anchor = try await places.anchor(request.place, isInside: request.isInside) else {
            return nil
        }
        let area = options.area ?? anchor.area
        func nearest(within radius: Double?) async throws -> [PlaceMatch] {
            try await places.nearest(
                request.category.kinds, to: anchor.near, within: radius, area: area, limit: options.limit)
        }
        var found: [PlaceMatch]
        if request.isInside {
            found = try await places.search(
                PlaceQuery(
                    PlaceWords(""), near: anchor.near, radius: anchor.area == nil ? anchor.radius : nil,
                    area: area, kinds: request.category.kinds, limit: options.limit))
        } else {
            found = try await nearest(within: options.radius ?? anchor.radius)
            // What is not there is somewhere else.
            if found.isEmpty, options.radius == nil { found = try await nearest(within: nil) }
        }
        if !isListed, found.isEmpty { return nil }
        return (found, Rows.note([anchor.note, Self.note(of: request.category)]))
    }

    /// The only place that matches a text.
    func match(named text: String, context: Context) async throws -> PlaceMatch {
        let typed = PlaceText(text)
        let coordinates = try await typed.coordinates(context)
        if coordinates.count > 1 {
            let list = coordinates.map { "\(Literal.coordinate($0.coordinate)) (\($0.source))" }
            throw PlaceErrors.ambiguous(
                "`\(text)` may be of either of two grids", fix: "one of: " + list.joined(separator: ", "))
        }
        if let place = coordinates.first { return place }
        guard !typed.words.isEmpty else {
            throw PlaceErrors.text(
                "no word to search for in `\(text)`", fix: "write LAT,LON, @name, or a name")
        }
        let query = PlaceQuery(typed.words, limit: PlaceSettings.candidates)
        let known = try await KnownPlaces(context: context).search(query, keepsDistinct: true)
        if let place = try PlaceChoice.choose(text, of: known) { return place }
        if let crossing = typed.crossing {
            let found = try await KnownPlaces(context: context).search(
                PlaceQuery(crossing, kinds: [StreetPair.kind], limit: PlaceSettings.candidates))
            if let place = try PlaceChoice.choose(text, of: found) { return place }
        }
        let geocoder = Geocoder(context: context)
        if geocoder.server != nil {
            let answers = try await geocoder.search(text, query: query)
            if let place = try PlaceChoice.choose(text, of: answers.map(\.match)) { return place }
        }
        if let similar = known.first {
            let names = known.prefix(PlaceSettings.suggested).map {
                "\(Literal.coordinate($0.coordinate)) (\(PlaceChoice.label($0)))"
            }
            throw PlaceErrors.none(
                "unknown place `\(text)`; did you mean \(similar.name)?",
                fix: "one of: " + names.joined(separator: ", "))
        }
        if geocoder.server == nil {
            var error = try await PlaceErrors.missing(text, nil, context)
            error.fix = "write LAT,LON or @name; " + (error.fix ?? "")
            throw error
        }
        throw PlaceErrors.none(
            "no place matches `\(text)`", fix: "write LAT,LON or @name, or use place find")
    }

    /// The only place that matches a text, as a value.
    func place(named text: String, context: Context) async throws -> any DomainObject {
        PlaceObject(try await match(named: text, context: context))
    }
}

/// `@name` for places of regions and stops, unless a session object has this name.
struct PlaceReferences: ReferenceResolving {
    let kind = "place"
    let firstSteps: String? = "`region import MAP.osm.pbf` brings places"
    let isFallback = true

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let words = PlaceWords(text)
        guard !words.isEmpty else { return [] }
        let found = try await KnownPlaces(context: context).search(
            PlaceQuery(words, limit: PlaceSettings.candidates))
        let exact = found.filter { PlaceWords.fold($0.name) == words.folded }
        guard let place = try PlaceChoice.choose(text, of: exact) else { return [] }
        return [reference(place)]
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        let words = PlaceWords(prefix)
        guard !words.isEmpty else { return [] }
        let found = try await KnownPlaces(context: context).search(
            PlaceQuery(words, near: context.shownMap.view?.center, limit: limit), leavesReferences: true)
        return found.map(reference)
    }

    private func reference(_ match: PlaceMatch) -> Reference {
        let detail = [match.kind, match.context, match.source].compactMap { $0 }.joined(separator: ", ")
        return Reference(name: match.name, detail: detail, object: PlaceObject(match))
    }
}
