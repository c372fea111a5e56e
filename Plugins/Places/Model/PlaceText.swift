import Geodesy
import PluginKit

/// What someone typed to find a place: a coordinate, a kind of place, or words of a name.
struct PlaceText {
    /// The text as typed.
    let text: String
    let words: PlaceWords

    init(_ text: String) {
        self.text = text
        words = PlaceWords(text)
    }

    /// The place that a coordinate in the text means; `nil` where there is none. Throws `E-PLACE-RANGE` for one that is out
    /// of range.
    func coordinate(_ context: Context) async throws -> PlaceMatch? {
        switch CoordinateText.read(text) {
        case .coordinate(let coordinate, let notation): return match(coordinate, notation)
        case .outOfRange(let latitude, let longitude, let swapped):
            let fix = swapped.map { "longitude and latitude may be exchanged: \(Literal.coordinate($0))" }
            throw PlaceErrors.range(
                "\(Literal.number(latitude)),\(Literal.number(longitude)) is out of range: latitude is -90…90, "
                    + "longitude -180…180", fix: fix ?? "write LAT,LON")
        case .shortPlusCode(let code, let locality):
            guard !locality.isEmpty else {
                throw PlaceErrors.range(
                    "`\(code)` is the end of a plus code", fix: "write the whole code, or a town behind it")
            }
            let near = try await PlaceService().match(named: locality, context: context)
            guard let found = PlusCode.recover(code, near: near.coordinate) else { return nil }
            return match(found, .plusCode)
        case nil: return nil
        }
    }

    private func match(_ coordinate: Coordinate, _ notation: CoordinateText.Notation) -> PlaceMatch {
        PlaceMatch(
            place: NamedPlace(
                name: Literal.coordinate(coordinate), kind: "coordinate", source: notation.rawValue,
                coordinate: coordinate, rank: 0),
            quality: PlaceMatch.Quality(score: 1, manner: .coordinate), distance: nil)
    }
}
