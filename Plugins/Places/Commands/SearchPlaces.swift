import Geodesy
import PluginKit

/// `place search TEXT`
struct SearchPlaces: CommandProvider {
    var command: Command {
        Command(
            "place search", "finds places by name or address, best match first",
            details: """
                Searches the names of imported regions (ways, peaks, huts, villages), of stops, waypoints and beacons. Case and \
                accents do not count, and each word may be the beginning of one. score tells how well the name matches, 1 being \
                the whole name; near places come first with --near. Where nothing matches and `set places.server` names a \
                Nominatim-compatible server, it is asked, at most once a second; answers are kept for a month.
                """,
            .rest("text", .text, minimum: 1, "words of a name, whole or their beginnings; or an address"),
            .option("near", .place, "a place near which matches are better"),
            .option(
                "within", .quantity(.length, in: 0...20_100_000), "only places so far from --near, or nearer"),
            .option("limit", .integer(1...1000), default: "\(PlaceSettings.usualLimit)", "most matches"),
            .flag("online", "asks the geocoding server even where names known here match"),
            output: .rows(PlaceObject.columns), effect: .reads,
            examples: [
                .init(
                    "any text is safe to type", "expect-error E-PLACE-TEXT place search '\"*) --'",
                    gives: "there is no word in `\"*) --`"),
                .init(
                    "an unknown name", "expect-error E-PLACE-SERVER place search Nowhere",
                    gives: "no name known here matches `Nowhere`, and no geocoding server is configured"),
            ], searchTerms: ["geocode", "address", "find", "name", "nominatim"]
        ) { context, text, near, within, limit, online in
            let text = text.joined(separator: " ")
            let radius = within
            guard radius == nil || near != nil else {
                throw PlaceErrors.text(
                    "--within needs a place", at: .parameter("within"), fix: "--near LAT,LON")
            }
            let words = PlaceWords(text)
            guard !words.isEmpty else { throw PlaceErrors.text("there is no word in `\(text)`") }
            let query = PlaceQuery(words, near: near, radius: radius, limit: limit)
            let found = try await PlaceService().search(
                text, query: query, online: online, context: context)
            let columns = near == nil ? PlaceObject.columns : PlaceObject.nearColumns
            return .table(objects: Array(found.places), columns: columns, note: found.attribution)
        }
    }
}
