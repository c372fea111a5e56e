import PluginKit

/// Kinds of places as tags of OpenStreetMap: `tourism=hotel`. Regions keep one word for each, most often the value.
enum TagKinds {
    /// Keys by which the objects of a region have kinds; others, such as `cuisine`, are not kept.
    static let keys = Set(PlaceTags.keys)

    /// The words of regions for objects of a tag that further tags tell apart.
    private static let variants: [String: [String]] = [
        "amenity=place_of_worship": ["church", "mosque", "synagogue", "temple", "shrine"],
        "amenity=shelter": [
            "bus shelter", "gazebo", "picnic_shelter", "basic_hut", "lean_to", "rock_shelter",
            "changing rooms", "field shelter", "private shelter",
        ],
        "amenity=bank": ["bank without ATM"],
        "amenity=fountain": ["undrinkable fountain", "drinking_water"],
        "amenity=drinking_water": ["undrinkable water_tap", "private drinking_water"],
        "amenity=toilets": ["private toilets"], "amenity=parking": ["private parking", "park and ride"],
        "natural=spring": ["undrinkable spring"],
        "man_made=water_tap": ["undrinkable water_tap", "drinking_water"],
        "man_made=water_well": ["undrinkable water_well"],
        "tourism=information": [
            "guidepost", "tourist office", "map board", "information board", "trail blaze",
        ],
    ]
    /// Administrative boundaries by their `admin_level`.
    private static let boundaries = [
        "country", "state", "county", "municipality", "district", "administrative area",
    ]

    /// The kinds of a tag such as `tourism=hotel`; `nil` if regions do not keep its key.
    static func category(_ key: String, _ value: String) -> PlaceCategories.Category? {
        guard keys.contains(key), !value.isEmpty else { return nil }
        let tag = "\(key)=\(value)"
        if tag == "boundary=administrative" { return PlaceCategories.Category(tag, boundaries, "") }
        return PlaceCategories.Category(tag, [PlaceTags.word(key, value)] + (variants[tag] ?? []), "")
    }

    /// Words of the kinds that are kept without a name.
    private static let nameless: Set<String> = {
        var words: Set<String> = []
        for tag in PlaceTags.nameless {
            let sides = tag.split(separator: "=").map(String.init)
            words.insert(PlaceTags.word(sides[0], sides[1]))
            words.formUnion(variants[tag] ?? [])
        }
        return words
    }()

    /// Whether objects of a kind are found without a name too.
    static func areFoundNameless(_ category: PlaceCategories.Category) -> Bool {
        !category.kinds.isDisjoint(with: nameless)
    }
}
