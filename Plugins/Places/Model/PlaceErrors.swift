import Geodesy
import PluginKit

/// Kinds of error of `place find`.
enum PlaceErrors {
    static let none = ErrorKind(
        "E-PLACE-NONE", "no matching place",
        explanation: """
            Neither the local names (regions, stops, waypoints, beacons) nor the geocoding server, if configured, have a \
            match. Names that resemble the text are listed. Try fewer or other words, or write LAT,LON. The corner of two \
            streets is `Street A & Street B`, a kind of place `bakery near Town`.
            """)
    static let notConfigured = ErrorKind(
        "E-PLACE-SERVER", "no region and no geocoding server to search",
        explanation: """
            No local name matches, no region with names is imported, and no server is configured: `region import FILE` adds the names and \
            addresses of a region; `set places.server https://HOST` uses a Nominatim-compatible server.
            """)
    static let noData = ErrorKind(
        "E-PLACE-NODATA", "no imported region covers the coordinate",
        explanation: """
            Names and addresses come from imported regions, and none of them covers the coordinate, so there is no data. \
            `region import FILE` adds a region; `region list` shows the boxes of the imported ones.
            """)
    static let range = ErrorKind(
        "E-PLACE-RANGE", "not a coordinate on Earth",
        explanation: """
            A latitude is -90…90 degrees, a longitude -180…180. GeoJSON and many programs write the longitude first; here the \
            latitude is first.
            """)
    static let kind = ErrorKind(
        "E-PLACE-KIND", "unknown kind of place",
        explanation:
            "A kind is a word such as hut, peak, water, or a tag of OpenStreetMap such as tourism=hotel. Regions keep objects by the keys of kinds only: cuisine=pizza is not found."
    )
    static let network = ErrorKind(
        "E-PLACE-NETWORK", "the geocoding server cannot be reached",
        explanation: """
            There is no network, the server does not respond in time, or a notebook may not use the network \
            (--allow-network). The request was retried. Local names are found without a network.
            """)
    static let answer = ErrorKind(
        "E-PLACE-ANSWER", "unusable response of the geocoding server",
        explanation: """
            The server rejected the request, or its response is not the JSON of a Nominatim-compatible /search. Check the setting \
            places.server, and the usage policy of the server.
            """)
    static let ambiguous = ErrorKind(
        "E-PLACE-AMBIGUOUS", "ambiguous place name",
        explanation: """
            Several places match: add a word, write the coordinate, or choose with `place find`.
            """)
    static let text = ErrorKind(
        "E-PLACE-TEXT", "no word to search for",
        explanation: "A search requires at least one letter or digit.")

    static let all = [none, notConfigured, noData, range, kind, network, answer, ambiguous, text]

    /// The way back to the regions of the workspace.
    static let returning = "`store use` without a name returns to your own stores and regions"

    /// The reason why a text is not found without a server: no region, none that covers the coordinate, or no
    /// such name.
    static func missing(
        _ text: String, of category: PlaceCategories.Category? = nil, _ near: Coordinate?, _ context: Context
    ) async throws -> RutterError {
        let coverage = try await PlaceCoverages(context).all()
        guard !coverage.isEmpty else {
            if let current = context.stores.current {
                // The regions of the workspace are out of sight while another store is in use: nothing is known of them.
                return noData(
                    "nothing matches `\(text)` while the store \(current.name) is in use", fix: returning)
            }
            return notConfigured(
                "no local name matches `\(text)`, and no region with names is imported",
                fix: """
                    region import FILE for the names of a region, feed import FEED.zip for stops, `sample` for some of both; \
                    or set places.server https://HOST
                    """)
        }
        if let near, !coverage.contains(where: { $0.box.contains(near) }) {
            return PlaceCoverages.error(near, coverage, context)
        }
        let names = coverage.map(\.name).joined(separator: ", ")
        if let category, PlaceWords(text).isEmpty {
            let isAny = TagKinds.areFoundNameless(category)
            return none(
                "no \(isAny ? "place" : "place with a name") in \(names) is of the kind \(category.word)",
                fix: "omit --radius and --in, or use another kind")
        }
        if StreetPair.words(text) != nil {
            return none(
                "no two streets of \(names) match `\(text)` and meet",
                fix: "search each street by itself; a corner is written `Street A & Street B`")
        }
        let limits = coverage.compactMap { one in one.limit.map { "\(one.name): \($0)" } }
        let fix = ["try fewer or other words", "set places.server https://HOST"] + limits
        return none("no place in \(names) matches `\(text)`", fix: fix.joined(separator: "; "))
    }
}

/// The areas covered by names.
struct PlaceCoverages {
    private let context: Context

    init(_ context: Context) { self.context = context }

    func all() async throws -> [PlaceCoverage] {
        var found: [PlaceCoverage] = []
        for source in context.capabilities.compactMap(\.namedPlaces) {
            found += try await source.coverage(context: context)
        }
        return found
    }

    /// No region covers a coordinate.
    static func error(
        _ coordinate: Coordinate, _ coverage: [PlaceCoverage], _ context: Context
    ) -> RutterError {
        if coverage.isEmpty, let current = context.stores.current {
            return PlaceErrors.noData(
                "nothing is known of \(Literal.coordinate(coordinate)) while the store \(current.name) is in use",
                fix: PlaceErrors.returning)
        }
        let boxes = coverage.map { "\($0.name) (\(Literal.box($0.box)))" }
        return PlaceErrors.noData(
            "no imported region covers \(Literal.coordinate(coordinate))",
            fix: coverage.isEmpty
                ? "region import FILE" : "region import FILE; there are: " + boxes.joined(separator: ", "))
    }
}
