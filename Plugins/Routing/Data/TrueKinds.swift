import Cartography

/// What an object is by all that its tags say: a tap without drinking water is none, a restaurant that is closed for good is
/// no restaurant, a bus shelter is no hut.
///
/// Source: OpenStreetMap wiki, "Key:drinking_water", "Key:shelter_type", "Key:religion", "Key:information", "Key:disused",
/// "Key:access", "Key:end_date".
enum TrueKinds {
    /// Kinds whose water one may ask about.
    private static let waters: Set<String> = [
        "drinking_water", "fountain", "spring", "water_point", "water_tap", "water_well", "drinking_fountain",
    ]
    private static let shelters: [String: String] = [
        "public_transport": "bus shelter", "gazebo": "gazebo", "pavilion": "gazebo", "sun_shelter": "gazebo",
        "picnic_shelter": "picnic_shelter", "basic_hut": "basic_hut", "lean_to": "lean_to",
        "rock_shelter": "rock_shelter", "changing_rooms": "changing rooms", "field_shelter": "field shelter",
    ]
    private static let religions: [String: String] = [
        "christian": "church", "muslim": "mosque", "jewish": "synagogue", "buddhist": "temple",
        "hindu": "temple", "sikh": "temple", "jain": "temple", "taoist": "temple", "shinto": "shrine",
    ]
    private static let information = [
        "guidepost": "guidepost", "office": "tourist office", "visitor_centre": "tourist office",
        "map": "map board", "board": "information board", "tactile_map": "map board",
        "tactile_model": "map board",
        "route_marker": "guidepost", "trail_blaze": "trail blaze",
    ]
    /// Kinds that are of use only to those who may enter.
    private static let used: Set<String> = [
        "toilets", "parking", "bicycle_parking", "shower", "drinking_water", "water_point", "water_tap",
        "shelter", "playground", "picnic_site", "camp_site", "charging_station",
    ]

    /// The kind of an object, from the kind by its main tag.
    static func kind(_ kind: String, _ value: (String) -> String?) -> String {
        for state in LifecycleKinds.flags where value(state) == "yes" { return "\(state) \(kind)" }
        if let state = value("operational_status"), TagWord.isOutOfOrder(state) {
            return "\(kind) out of order"
        }
        // The ground, and where people live, does not close.
        let mayClose = ["place", "natural", "boundary"].allSatisfy { value($0) == nil }
        if mayClose, let hours = value("opening_hours"), OpeningHours.isNeverOpen(hours) {
            return "\(kind) closed"
        }
        // What became a monument is still there; of a shop it is not known who is there now.
        if mayClose, value("historic") == nil, LifeDates.keys.contains(where: { value($0) != nil }) {
            return DatedKinds.dated(current(kind, value), value)
        }
        return current(kind, value)
    }

    /// The kind of an object that is there.
    private static func current(_ kind: String, _ value: (String) -> String?) -> String {
        let kind = water(kind, value)
        if used.contains(kind), let access = value("access"), ["private", "no"].contains(access) {
            return "private \(kind)"
        }
        switch kind {
        case "shelter": return value("shelter_type").flatMap { shelters[$0] } ?? kind
        case "place_of_worship": return value("religion").flatMap { religions[$0] } ?? kind
        case "information": return value("information").flatMap { information[$0] } ?? kind
        case "bank": return value("atm") == "no" ? "bank without ATM" : kind
        default: return kind
        }
    }

    private static func water(_ kind: String, _ value: (String) -> String?) -> String {
        guard waters.contains(kind) else { return kind }
        switch value("drinking_water") ?? value("drinking_water:legal") {
        case "no": return "undrinkable " + (kind == "drinking_water" ? "water_tap" : kind)
        case "yes": return kind == "fountain" || kind == "water_tap" ? "drinking_water" : kind
        default: return kind
        }
    }
}
