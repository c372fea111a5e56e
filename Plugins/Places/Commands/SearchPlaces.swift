import Geodesy
import PluginKit

/// `place search TEXT`
struct SearchPlaces: CommandProvider {
    var command: Command {
        Command(
            "place search", "find places by name or address, best match first",
            details: """
                Searches the names of imported regions (ways, peaks, huts, villages), of stops, waypoints and beacons. Case and \
                accents are ignored, and each word may be a prefix. score is the quality of the match, 1 for the whole name; \
                --near ranks near places higher. Without a match, the Nominatim-compatible server set by `set places.server` \
                is queried, at most once a second; responses are cached for a month.
                """,
            .rest("text", .text, minimum: 1, "words or prefixes of a name, or an address"),
            .option("near", .place, "coordinate near which matches rank higher"),
            .option(
                "within", .quantity(.length, in: 0...20_100_000), "greatest distance from --near"),
            .option(
                "limit", .integer(1...1000), default: "\(PlaceSettings.usualLimit)",
                "maximum number of matches"),
            .flag("online", "query the server even if a local name matches"),
            output: .rows(PlaceObject.columns), effect: .reads,
            examples: [
                .init(
                    "any text is safe to type", "expect-error E-PLACE-TEXT place search '\"*) --'",
                    gives: "no word to search for in `\"*) --`"),
                .init(
                    "an unknown name", "expect-error E-PLACE-SERVER place search Nowhere",
                    gives: "no local name matches `Nowhere`, and no geocoding server is configured"),
            ], searchTerms: ["geocode", "address", "find", "name", "nominatim"]
        ) { context, text, near, within, limit, online in
            let text = text.joined(separator: " ")
            let radius = within
            guard radius == nil || near != nil else {
                throw PlaceErrors.text(
                    "--within requires --near", at: .parameter("within"), fix: "--near LAT,LON")
            }
            let words = PlaceWords(text)
            guard !words.isEmpty else { throw PlaceErrors.text("no word to search for in `\(text)`") }
            let query = PlaceQuery(words, near: near, radius: radius, limit: limit)
            let found = try await PlaceService().search(
                text, query: query, online: online, context: context)
            let columns = near == nil ? PlaceObject.columns : PlaceObject.nearColumns
            return .table(objects: Array(found.places), columns: columns, note: found.attribution)
        }
    }
}
