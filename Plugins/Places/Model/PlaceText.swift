import Geodesy
import PluginKit

/// A search text: a coordinate, a kind of place, or words of a name.
struct PlaceText {
    /// The text as typed.
    let text: String
    let words: PlaceWords

    /// The coordinate after the words, as in `restaurant near 47.1671,9.5110`; `nil` if there is none.
    let near: Coordinate?
    /// A kind and the text of a place, as in `huts near Vaduz` and `restaurant, Vaduz`.
    let request: PlaceCategories.Request?
    /// The same with a word that is no listed kind, as in `clothes near Vaduz`: regions may have it.
    let unlistedRequest: PlaceCategories.Request?

    /// Metres around the place, as in `cafes within 300 m of Vaduz`; `nil` if none are said.
    let radius: Double?

    /// The words of two streets that meet, as in `Rope Walk & Mole Road`; `nil` if the text is not of this form.
    let crossing: PlaceWords?

    init(_ typed: String) {
        // A link without a coordinate may have the name of a place.
        let link = MapLink(typed)
        let plain = PlaceCategories.withoutNearest(
            link.flatMap { $0.coordinate == nil ? $0.name : nil } ?? typed)
        let measured = RadiusPhrase(plain)
        let text = measured?.text ?? plain
        self.text = text
        radius = measured?.radius
        // `P+R` is a kind.
        crossing = PlaceCategories.wholeText(PlaceWords(text)) == nil ? StreetPair.words(text) : nil
        let (named, near) = Self.withoutCoordinate(text) ?? (text, nil)
        self.near = near
        let words = PlaceWords(named)
        // `pharmacies nearby`: near what is not said.
        let kind = PlaceWords(PlaceCategories.withoutConnector(words.texts).joined(separator: " "))
        self.words = kind.count < words.count && PlaceCategories.category(kind) != nil ? kind : words
        request =
            near == nil ? PlaceCategories.request(self.words) ?? PlaceCategories.request(listed: text) : nil
        unlistedRequest = near == nil && request == nil ? PlaceCategories.unlistedRequest(self.words) : nil
    }

    /// The text before a coordinate, without connecting words. A coordinate has three decimals or a degree
    /// sign, or follows a connecting word, to exclude house numbers and postcodes.
    private static func withoutCoordinate(_ text: String) -> (text: String, near: Coordinate?)? {
        guard text.utf8.count <= longest,
            let split = text.indices.first(where: { index in
                index > text.startIndex && ", \t".contains(text[text.index(before: index)])
                    && isCoordinate(text[index...], after: text[..<index])
            }), case .coordinate(let coordinate, _)? = CoordinateText.read(String(text[split...]))
        else { return nil }
        let words = PlaceWords(String(text[..<split]))
        let named = PlaceCategories.withoutConnector(words.texts)
        guard words.texts.contains(where: { $0.count > 1 }), !named.isEmpty else { return nil }
        return (named.joined(separator: " "), coordinate)
    }

    private static func isCoordinate(_ text: Substring, after start: Substring) -> Bool {
        if !text.allSatisfy(\.isLetter), PlaceCategories.endsWithConnector(PlaceWords(String(start)).texts) {
            if case .coordinate? = CoordinateText.read(String(text)) { return true }
        }
        let numbers = text.split { !$0.isNumber && $0 != "." }
        let isExact = numbers.count == 2 && numbers.allSatisfy { $0.drop { $0 != "." }.count > 3 }
        guard isExact || text.contains("°") else { return false }
        if case .coordinate? = CoordinateText.read(String(text)) { return true }
        return false
    }

    /// Longer texts are not scanned for a coordinate.
    private static let longest = 200

    /// The coordinates that the text may mean: none, one, or one of each of two grids. Throws `E-PLACE-RANGE` if it is out of range.
    func coordinates(_ context: Context) async throws -> [PlaceMatch] {
        guard let one = try await coordinate(context) else { return [] }
        guard let british = CoordinateText.britishReading(of: text) else { return [one] }
        // A region knows where one is.
        let other = match(british, .britishGrid)
        let coverage = try await PlaceCoverages(context).all()
        let both = [one, other]
        let covered = both.filter { place in coverage.contains { $0.box.contains(place.coordinate) } }
        return covered.count == 1 ? covered : both
    }

    private func coordinate(_ context: Context) async throws -> PlaceMatch? {
        switch CoordinateText.read(text) {
        case .coordinate(let coordinate, let notation): return match(coordinate, notation)
        // Two numbers with a space alone between them may be a postcode: `114 55`.
        case .outOfRange where text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == " " }): return nil
        case .outOfRange(let latitude, let longitude, let swapped):
            let fix = swapped.map { "longitude and latitude may be exchanged: \(Literal.coordinate($0))" }
            throw PlaceErrors.range(
                "\(Literal.number(latitude)),\(Literal.number(longitude)) is out of range: latitude is -90…90, "
                    + "longitude -180…180", fix: fix ?? "write LAT,LON")
        case .eastOrWest(let east, let west):
            throw PlaceErrors.range(
                "O is east in German, west in French, Italian, Portuguese and Spanish",
                fix: "\(Literal.coordinate(east)), or \(Literal.coordinate(west))")
        case .shortPlusCode(let code, let locality):
            guard !locality.isEmpty else {
                throw PlaceErrors.range(
                    "`\(code)` is the end of a plus code", fix: "write the whole code, or add a town")
            }
            guard let found = try await place(code, in: locality, context) else { return nil }
            return match(found, .plusCode)
        case nil:
            guard Self.isWithoutPlace(text) else { return nil }
            throw PlaceErrors.none(
                "`\(text)` has no coordinate in it: only the server of its map knows the place",
                fix: "open it, and copy the coordinate, or the link that it leads to")
        }
    }

    /// The place of a short plus code. Several places of a name, as a town and its municipality, are one if the code is.
    private func place(_ code: String, in locality: String, _ context: Context) async throws -> Coordinate? {
        do {
            let near = try await PlaceService().match(named: locality, context: context)
            return PlusCode.recover(code, near: near.coordinate)
        } catch let error as RutterError where error.kind == PlaceErrors.ambiguous {
            let all = try await KnownPlaces(context: context).search(
                PlaceQuery(PlaceWords(locality), limit: PlaceSettings.candidates))
            let named = all.filter { $0.score == 1 && !$0.quality.manner.isGuess }
            let found = Set(named.compactMap { PlusCode.recover(code, near: $0.coordinate) })
            guard found.count == 1, let place = found.first else { throw error }
            return place
        }
    }

    /// Whether a text is a link, or the three words of an address of what3words, that says a place to a server alone.
    private static func isWithoutPlace(_ text: String) -> Bool {
        if let link = MapLink(text) { return link.name == nil && !text.lowercased().hasPrefix("geo:") }
        return text.hasPrefix("///") && text.dropFirst(3).split(separator: ".").count == 3
    }

    private func match(_ coordinate: Coordinate, _ notation: CoordinateText.Notation) -> PlaceMatch {
        PlaceMatch(
            place: NamedPlace(
                name: Literal.coordinate(coordinate), kind: "coordinate", source: notation.rawValue,
                coordinate: coordinate, rank: 0),
            quality: PlaceMatch.Quality(score: 1, manner: .coordinate), distance: nil)
    }
}
