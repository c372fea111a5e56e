import Geodesy
import PluginKit

/// `place find TEXT`
struct FindPlaces: CommandProvider {
    var name: String { "place find" }

    var command: Command {
        Command(
            name, "find places by name or address, best match first",
            details: """
                Searches the names and addresses of imported regions, and the names of stops, waypoints and beacons. \
                Words may be prefixes, abbreviated (`Bahnhofstr.`), without accents, in Latin letters, or misspelt, in \
                any order. A coordinate in any notation, a plus code, Swiss grid, UTM and MGRS are recognised, as are \
                kinds (`huts near Vaduz`, `restaurant near 47.1671,9.5110`) and corners of two streets (`Rope Walk & Mole Road`, \
                `Rope Walk / Mole Road`, `corner of Rope Walk and Mole Road`). score is the quality of the match, 1 for \
                the whole name; --near ranks near places higher; its default is the centre of the last map. `step` \
                shows the reasons for the order. Without a match, the Nominatim-compatible server set by `set \
                places.server` is queried, at most once a second; responses are cached for a month.
                """,
            .rest("text", .text, "words or prefixes of a name, an address, a kind or a coordinate"),
            .option("near", .coordinate, "coordinate near which matches rank higher"),
            .option(
                "radius", .quantity(.length, in: 0...20_100_000),
                "maximum distance from --near, or from PLACE in `KIND near PLACE`"
            ).formerly("within"),
            .option("in", .text, "area by name, such as a municipality, or a box S,W,N,E"),
            .option("kind", .text, "hut, peak, water, …, or a tag such as tourism=hotel"),
            .option(
                "limit", .integer(1...1000), default: "\(PlaceSettings.usualLimit)",
                "maximum number of matches"),
            .flag("online", "query the server even if a local name matches"),
            .flag("local", "never query the server"),
            output: .rows(PlaceObject.columns), effect: .reads,
            examples: [
                .init(
                    "a coordinate in the Swiss grid",
                    "place find \"2'600'000 1'200'000\" | select name kind source",
                    gives: """
                        name                kind        source
                        46.951081,7.438637  coordinate  Swiss grid
                        """),
                .init(
                    "any text is safe to type", "expect-error E-PLACE-TEXT place find '\"*) --'",
                    gives: "no word to search for in `\"*) --`"),
                .init(
                    "an unknown name", "expect-error E-PLACE-SERVER place find Nowhere",
                    gives: "no local name matches `Nowhere`, and no region with names is imported"),
                .init(
                    "longitude first", "expect-error E-PLACE-RANGE place find '151.2, -33.9'",
                    gives: "151.2,-33.9 is out of range: latitude is -90…90, longitude -180…180"),
            ],
            searchTerms: [
                "coordinates of a town", "hotel", "shop", "look up",
                "geocode", "address", "find", "name", "nominatim", "find an address", "where is",
                "look up a place", "how high is a mountain", "campsite", "town", "street", "intersection",
                "corner", "crossing of two streets", "supermarket", "pharmacy", "postcode", "postal code",
                "street number", "restaurant", "doctor", "museum", "look for a place", "bench", "viewpoint",
            ]
        ) { context, text, near, within, area, kind, limit, online, isLocal in
            let text = text.joined(separator: " ")
            let typed = PlaceText(text)
            // With --kind the text is a name, not a request for a kind near a place.
            let isMeasured =
                near != nil || typed.near != nil || (kind == nil && typed.request?.isInside == false)
            guard within == nil || isMeasured else {
                throw PlaceErrors.text(
                    "--radius requires --near, or a text such as `huts near Vaduz`", at: .parameter("radius"),
                    fix: "--near LAT,LON")
            }
            guard !(online && isLocal) else {
                throw PlaceErrors.text(
                    "--local and --online cannot be combined", at: .parameter("local"), fix: "omit one")
            }
            let category = try kind.map(Self.category)
            var options = PlaceService.Options(
                near: near, radius: within, category: category, limit: limit, online: online, isLocal: isLocal
            )
            if let area { options.area = try await Self.area(area, context) }
            let found = try await PlaceService().search(text, options, context: context)
            let columns = PlaceObject.columns(of: found.places, near: found.showsDistance)
            return .table(objects: found.places, columns: columns, note: found.note)
        }.deciding("place find Hut", after: ["waypoint add 46.5,7.9 --label Hut | get label"])
    }

    /// The kinds of a word or a tag; an unlisted word with an underscore is a value of a tag.
    static func category(_ word: String) throws -> PlaceCategories.Category {
        if let known = PlaceCategories.category(PlaceWords(word)) { return known }
        if let equals = word.firstIndex(of: "=") {
            let (key, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
            if let category = TagKinds.category(key, value) { return category }
            throw PlaceErrors.kind(
                "regions keep no objects by the tag `\(word)`", at: .parameter("kind"),
                fix: "one of the keys " + TagKinds.keys.sorted().joined(separator: ", ")
                    + ", each with a value")
        }
        if word.contains("_") { return .tag(word) }
        throw PlaceErrors.kind(
            "`\(word)` is not a kind of place", at: .parameter("kind"),
            fix: "one of: " + PlaceCategories.all.map(\.word).joined(separator: ", ")
                + "; or a tag such as tourism=hotel")
    }

    /// A box, or the area with a name.
    private static func area(_ text: String, _ context: Context) async throws -> PlaceArea {
        let numbers = text.split(separator: ",").map { Double($0.filter { $0 != " " }) }
        if numbers.count == 4, let south = numbers[0], let west = numbers[1], let north = numbers[2],
            let east = numbers[3], south <= north, abs(south) <= 90, abs(north) <= 90, abs(west) <= 180,
            abs(east) <= 180
        {
            return .box(BoundingBox(south: south, west: west, north: north, east: east))
        }
        guard let anchor = try await KnownPlaces(context: context).anchor(text, isInside: true) else {
            throw PlaceErrors.none(
                "unknown area `\(text)`", at: .parameter("in"), fix: "write a town, or a box S,W,N,E")
        }
        return anchor.area ?? .box(BoundingBox(center: anchor.near, radius: anchor.radius))
    }
}
