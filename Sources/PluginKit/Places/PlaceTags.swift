/// Tags of OpenStreetMap by which places have kinds: what regions keep, and what a search by kind asks for.
package enum PlaceTags {
    /// The keys that define a kind, the most specific first.
    package static let keys = [
        "place", "mountain_pass", "natural", "tourism", "railway", "aerialway", "aeroway", "amenity",
        "historic", "waterway", "leisure", "public_transport", "boundary", "route", "shop", "man_made",
        "landuse", "office", "craft", "healthcare", "emergency", "military", "club", "sport", "piste:type",
        "power", "barrier", "geological", "golf", "junction", "highway", "building",
    ]

    /// Values that mean another kind under another key.
    private static let words: [String: String] = [
        "aerialway=station": "cable car station", "power=station": "power station", "natural=bar": "sand bar",
        "natural=bank": "river bank", "place=farm": "farmstead", "sport=bicycle": "cycling",
        "waterway=water_point": "boat water point", "waterway=fuel": "boat fuel",
    ]

    /// Values of `railway` that say its state instead of its kind.
    private static let states: Set<String> = [
        "abandoned", "disused", "razed", "demolished", "dismantled", "removed", "proposed", "planned",
        "construction",
    ]

    /// The kind of an object by one of its tags, most often the value.
    package static func word(_ key: String, _ value: String) -> String {
        if let word = words["\(key)=\(value)"] { return word }
        return switch (key, value) {
        case (_, "yes"): key
        case ("route", _): "\(value) route"
        case ("railway", _) where states.contains(value): "\(value) railway"
        default: value
        }
    }

    /// Tags of objects that are searched for although they have no name, as `key=value`.
    package static let nameless = [
        (
            "amenity",
            [
                "drinking_water", "water_point", "fountain", "toilets", "shelter", "shower", "parking",
                "bicycle_parking", "bicycle_repair_station", "bicycle_rental", "charging_station", "fuel",
                "atm", "bank", "pharmacy", "doctors", "dentist", "veterinary", "hospital", "clinic", "cafe",
                "restaurant", "fast_food", "bar", "pub", "biergarten", "ice_cream", "post_box",
                "post_office", "bus_station", "ferry_terminal", "taxi", "police", "fire_station",
                "ranger_station", "place_of_worship", "playground", "telephone", "recycling", "bench",
                "waste_basket", "bbq", "vending_machine", "school", "kindergarten", "library", "university",
                "townhall", "community_centre", "cinema", "theatre", "marketplace", "car_sharing",
                "grave_yard", "lounger", "watering_place", "parcel_locker", "luggage_locker", "locker",
            ]
        ),
        (
            "shop",
            [
                "supermarket", "convenience", "bakery", "butcher", "grocery", "general", "department_store",
                "greengrocer", "farm", "kiosk", "chemist", "sports", "outdoor", "bicycle", "hairdresser",
                "clothes", "shoes", "laundry", "hardware", "doityourself", "books", "florist", "optician",
                "tobacco", "newsagent", "mobile_phone", "car_repair", "ticket", "deli", "cheese",
            ]
        ),
        (
            "tourism",
            [
                "alpine_hut", "wilderness_hut", "camp_site", "caravan_site", "viewpoint", "picnic_site",
                "hotel", "guest_house", "hostel", "chalet", "information", "museum",
            ]
        ),
        ("natural", ["spring", "cave_entrance", "peak", "saddle", "beach", "hot_spring"]),
        ("man_made", ["water_tap", "water_well", "drinking_fountain"]),
        ("historic", ["castle", "ruins", "wayside_cross", "wayside_shrine", "memorial", "monument"]),
        (
            "leisure",
            [
                "playground", "firepit", "bird_hide", "picnic_table", "pitch", "park", "sports_centre",
                "fitness_station", "swimming_area", "slipway",
            ]
        ),
        ("mountain_pass", ["yes"]), ("emergency", ["defibrillator", "phone"]),
        ("highway", ["bus_stop"]), ("railway", ["station", "halt", "tram_stop"]), ("waterway", ["waterfall"]),
        ("aerialway", ["station"]), ("landuse", ["cemetery"]),
    ].flatMap { key, values in values.map { "\(key)=\($0)" } }
}
