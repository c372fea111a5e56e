import PluginKit

/// The kinds of named objects of a map, and the rank of each among places of the same name.
enum NamedKinds {
    /// The tags that define the kind, the most specific first, and the ranks of their values; unlisted
    /// values of a tag have the rank of `nil`.
    static let classes: [(key: String, ranks: [String?: Int])] = [
        (
            "place",
            [
                "country": 0, "state": 0, "city": 0, "town": 1, "municipality": 2, "county": 2, "region": 2,
                "village": 2, "suburb": 3, "hamlet": 3, "borough": 3, "island": 3, "archipelago": 3,
                "neighbourhood": 4, "quarter": 4, "isolated_dwelling": 5, "farm": 5, "square": 5, "islet": 5,
                "locality": 5, nil: 6,
            ]
        ),
        ("mountain_pass", ["yes": 3, nil: 3]),
        (
            "natural",
            [
                "peak": 3, "volcano": 3, "saddle": 4, "ridge": 5, "arete": 5, "valley": 4, "spring": 5,
                "glacier": 4, "water": 4, "cave_entrance": 5, "cliff": 6, "rock": 6, "stone": 6, "beach": 5,
                "bay": 5, "cape": 5, "wood": 6, "strait": 4, nil: 6,
            ]
        ),
        (
            "tourism",
            [
                "alpine_hut": 3, "wilderness_hut": 4, "camp_site": 5, "viewpoint": 5, "hotel": 6,
                "guest_house": 6, "hostel": 6, "chalet": 6, "museum": 6, "attraction": 6, "information": 7,
                "picnic_site": 7, nil: 7,
            ]
        ),
        ("railway", ["station": 4, "halt": 5, "tram_stop": 6, nil: 7]),
        ("aerialway", ["station": 5, nil: 6]),
        ("aeroway", ["aerodrome": 4, nil: 7]),
        (
            "amenity",
            [
                "shelter": 5, "townhall": 6, "place_of_worship": 6, "hospital": 6, "university": 6,
                "bus_station": 5, "ferry_terminal": 5, nil: 7,
            ]
        ),
        ("historic", ["castle": 5, "ruins": 6, "monument": 6, "chapel": 6, nil: 7]),
        ("waterway", ["waterfall": 5, "river": 5, "stream": 7, nil: 6]),
        ("leisure", ["park": 5, "nature_reserve": 5, nil: 7]),
        ("public_transport", ["station": 5, nil: 7]),
        ("boundary", ["administrative": 3, "national_park": 4, nil: 6]),
        ("route", [nil: 6]),
        ("shop", [nil: 7]), ("man_made", [nil: 7]), ("landuse", [nil: 6]), ("office", [nil: 7]),
        ("craft", [nil: 7]), ("healthcare", [nil: 7]), ("emergency", [nil: 8]), ("military", [nil: 7]),
        ("club", [nil: 7]), ("sport", [nil: 7]), ("piste:type", [nil: 7]), ("power", [nil: 8]),
        ("barrier", [nil: 8]), ("geological", [nil: 6]), ("golf", [nil: 8]), ("junction", [nil: 7]),
    ]

    /// The ranks of ways by their `highway`; others have the lowest rank.
    static let highways: [String: Int] = [
        "pedestrian": 5, "primary": 6, "secondary": 6, "tertiary": 6, "residential": 6, "living_street": 6,
        "unclassified": 6, "trunk": 6, "motorway": 6, "bus_stop": 6,
    ]
    static let otherHighway = 7
    /// Kinds of ways that meet at junctions.
    static let ways = Set(highways.keys).subtracting(["bus_stop"]).union([
        "service", "track", "path", "footway", "cycleway", "bridleway", "steps", "corridor", "road", "busway",
        "primary_link", "secondary_link", "tertiary_link", "trunk_link", "roundabout", "circular",
        WayNames.unknownKind,
    ])

    /// The rank of an address, and of objects that have only a number as name.
    static let addressRank = 8
    /// The rank of an object without a name.
    static let namelessRank = 9
    /// The rank of a postcode.
    static let postcodeRank = 4
    /// The rank of an object that is no more, or not yet.
    static let formerRank = 8
    /// The rank of objects without a known tag.
    static let otherRank = 7

    private static let namelessTags = Set(PlaceTags.nameless)

    /// Whether an object with this tag is searched for although it has no name.
    static func isNameless(_ key: String, _ value: String) -> Bool {
        list(value).contains { namelessTags.contains("\(key)=\($0)") }
    }

    /// Keys whose objects are searched for by kind, so that an object has a kind by each of them: a hotel may also be a
    /// restaurant, a hamlet a hut, a summit a viewpoint.
    private static let joinable: Set<String> = [
        "mountain_pass", "natural", "tourism", "railway", "aerialway", "amenity", "historic", "waterway",
        "leisure", "shop",
    ]

    /// The further kinds of an object beside its first one: of other keys, and of other values of a list such as
    /// `restaurant;bar`. Only those that are a kind by name.
    static func furtherKinds(of first: String, _ value: (String) -> String?) -> [(kind: String, rank: Int)] {
        var found: [(kind: String, rank: Int)] = []
        var known: Set<String> = [first]
        for one in classes where joinable.contains(one.key) {
            for tag in list(value(one.key)) where one.ranks[tag] != nil || isNameless(one.key, tag) {
                let kind = TrueKinds.kind(PlaceTags.word(one.key, tag), value)
                guard known.insert(kind).inserted, let rank = one.ranks[tag] ?? one.ranks[nil] else {
                    continue
                }
                found.append((kind, rank))
            }
        }
        // A supermarket with a cash machine; a bank has its own kind for it.
        if value("atm") == "yes", first != "bank", known.insert("atm").inserted {
            found.append(("atm", otherRank))
        }
        // A car park at a stop, by the kind of what stops there or `yes`; a private one is of no use.
        if first == "parking", let ride = value("park_ride"), ride != "no" {
            found.append(("park and ride", otherRank))
        }
        return found
    }

    /// The values of a list.
    private static func list(_ text: String?) -> [String] {
        guard let text, text != "no" else { return [] }
        return text.split(separator: ";").map { $0.trimmingPrefix(" ").description }
    }

    /// The rank and the kind of an object by its tags: of several, the first of the most specific key. `mayBeFormer` is false
    /// where no tag has a lifecycle prefix.
    static func kind(
        _ value: (String) -> String?, mayBeFormer: Bool = true
    ) -> (key: String, kind: String, rank: Int) {
        // The more specific of the two tags that editors write.
        if value("highway") == "bus_stop", value("public_transport") != "station" {
            return ("highway", TrueKinds.kind("bus_stop", value), highways["bus_stop"] ?? otherHighway)
        }
        for one in classes {
            guard let tag = list(value(one.key)).first, let rank = one.ranks[tag] ?? one.ranks[nil] else {
                continue
            }
            if one.key == "boundary", tag == "administrative" {
                return (one.key, administrative(level: value("admin_level").flatMap { Int($0) }), rank)
            }
            return (one.key, TrueKinds.kind(PlaceTags.word(one.key, tag), value), rank)
        }
        if let highway = value("highway") {
            return ("highway", highway, highways[highway] ?? otherHighway)
        }
        let building = value("building").flatMap { $0 == "no" ? nil : $0 }
        if mayBeFormer, building ?? "yes" == "yes", let kind = LifecycleKinds.kind(value) {
            return ("", kind, formerRank)
        }
        if let building {
            return ("building", building == "yes" ? "building" : building, otherRank)
        }
        return ("", "named place", otherRank)
    }

    /// Additional names under which an object is found.
    static let otherNames = ["alt_name", "official_name", "short_name", "loc_name", "int_name"]

    /// The kind of an administrative boundary by its `admin_level` (OpenStreetMap wiki,
    /// `Tag:boundary=administrative`).
    private static func administrative(level: Int?) -> String {
        switch level {
        case 2: "country"
        case 3, 4: "state"
        case 5, 6: "county"
        case 7, 8: "municipality"
        case .some(9...): "district"
        default: "administrative area"
        }
    }

    /// Kinds of objects that people call by their operator; that of others is a town or a club with places of its own.
    static let operated: Set<String> = [
        "atm", "bank", "charging_station", "parcel_locker", "bicycle_rental", "car_sharing", "fuel",
        "post_office", "post_box",
    ]

    /// Kinds of places that are areas: an object at their centre may be unrelated.
    static let territories: Set<String> = [
        "country", "state", "county", "municipality", "district", "administrative area", "region",
    ]

    /// Kinds of stops that maps contain several times near each other: signpost, platform, stopping
    /// position.
    static let stops: Set<String> = [
        "bus_stop", "platform", "stop_position", "stop_area", "tram_stop", "halt", "station",
    ]
}
