/// Which named things of a map are kept beside its ways, and how much each kind matters among places of one name.
enum NamedKinds {
    /// The tags that make a named thing a place, and the ranks of their values; other values of a tag have the rank of
    /// `nil`, or are not kept where there is none.
    static let classes: [(key: String, ranks: [String?: Int])] = [
        (
            "place",
            [
                "city": 0, "town": 1, "village": 2, "suburb": 3, "hamlet": 3, "neighbourhood": 4,
                "quarter": 4,
                "isolated_dwelling": 5, "farm": 5, "square": 5, "island": 3, "islet": 5, "locality": 5,
            ]
        ),
        ("mountain_pass", ["yes": 3]),
        (
            "natural",
            [
                "peak": 3, "volcano": 3, "saddle": 4, "ridge": 5, "arete": 5, "valley": 4, "spring": 5,
                "glacier": 4,
                "water": 4, "cave_entrance": 5, "cliff": 6, "rock": 6, "stone": 6, "beach": 5, "bay": 5,
                "cape": 5,
                "wood": 6,
            ]
        ),
        (
            "tourism",
            [
                "alpine_hut": 3, "wilderness_hut": 4, "camp_site": 5, "viewpoint": 5, "hotel": 6,
                "guest_house": 6,
                "hostel": 6, "chalet": 6, "museum": 6, "attraction": 6, "information": 7, "picnic_site": 7,
                nil: 7,
            ]
        ),
        ("railway", ["station": 4, "halt": 5, "tram_stop": 6]),
        ("aerialway", ["station": 5]),
        (
            "amenity",
            [
                "shelter": 5, "restaurant": 7, "cafe": 7, "school": 7, "townhall": 6, "place_of_worship": 6,
                "hospital": 6, "parking": 7, "drinking_water": 7, "bus_station": 5,
            ]
        ),
        ("historic", ["castle": 5, "ruins": 6, "monument": 6, "chapel": 6]),
        ("waterway", ["waterfall": 5, "river": 6, "stream": 7]),
    ]

    /// Further names by which a thing is found.
    static let otherNames = [
        "alt_name", "official_name", "short_name", "loc_name", "int_name", "name:en", "name:de", "name:fr",
        "name:it", "name:es", "name:ca",
    ]

    /// The ranks of ways by their `highway`; others have the last.
    static let highways: [String: Int] = [
        "pedestrian": 5, "primary": 6, "secondary": 6, "tertiary": 6, "residential": 6, "living_street": 6,
        "unclassified": 6, "trunk": 6,
    ]
    static let otherHighway = 7

    /// The rank and the kind of a thing by the values of its classes; `nil` when it is not kept.
    static func kind(_ values: [String?]) -> (kind: String, rank: Int)? {
        for (classValue, value) in zip(classes, values) {
            guard let value, let rank = classValue.ranks[value] ?? classValue.ranks[nil] else { continue }
            return (value == "yes" ? classValue.key : value, rank)
        }
        return nil
    }
}
