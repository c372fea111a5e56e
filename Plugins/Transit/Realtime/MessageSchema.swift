/// The messages of gtfs-realtime.proto with the names and numbers of the fields that are read: what other forms of a message are
/// encoded by.
enum MessageType: CaseIterable {
    case feed, header, entity
    case tripUpdate, tripDescriptor, modifiedTrip, vehicleDescriptor, stopTimeUpdate, stopTimeEvent,
        stopTimeProperties, tripProperties
    case vehiclePosition, position, carriage
    case alert, timeRange, selector, translated, translation
    case modifications, selectedTrips, modification, stopSelector, replacementStop, stop

    /// A field of a message.
    struct Field {
        let number: Int
        let name: String
        let kind: Kind
        var isRepeated = false
    }

    /// What a field has.
    enum Kind {
        case text, whole, real, flag
        /// Seconds since 1970.
        case instant
        /// A number with a name.
        case choice([String: Int])
        case message(MessageType)
    }

    /// The fields by their names in small letters without `_`, which are one in each spelling: `tripUpdate`, `trip_update`.
    var fields: [String: Field] { Self.tables[self] ?? [:] }

    private static let tables: [MessageType: [String: Field]] = Dictionary(
        uniqueKeysWithValues: allCases.map { type in
            (type, Dictionary(uniqueKeysWithValues: type.list.map { (folded($0.name), $0) }))
        })

    /// A name of a field or a choice in its one spelling.
    static func folded(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// The field with a name in any spelling; a repeated one also in the plural.
    func field(_ written: String) -> Field? {
        let name = Self.folded(written)
        if let own = fields[name] { return own }
        guard name.hasSuffix("s") else { return nil }
        let singular = name.hasSuffix("ies") ? String(name.dropLast(3)) + "y" : String(name.dropLast())
        return fields[singular].flatMap { $0.isRepeated ? $0 : nil }
    }

    private static func one(_ number: Int, _ name: String, _ kind: Kind) -> Field {
        Field(number: number, name: name, kind: kind)
    }

    private static func many(_ number: Int, _ name: String, _ kind: Kind) -> Field {
        Field(number: number, name: name, kind: kind, isRepeated: true)
    }

    private static func choice(_ names: [String: Int]) -> Kind {
        .choice(Dictionary(uniqueKeysWithValues: names.map { (folded($0.key), $0.value) }))
    }

    private static let occupancy = choice([
        "EMPTY": 0, "MANY_SEATS_AVAILABLE": 1, "FEW_SEATS_AVAILABLE": 2, "STANDING_ROOM_ONLY": 3,
        "CRUSHED_STANDING_ROOM_ONLY": 4, "FULL": 5, "NOT_ACCEPTING_PASSENGERS": 6, "NO_DATA_AVAILABLE": 7,
        "NOT_BOARDABLE": 8,
    ])
    private static let boarding = choice([
        "REGULAR": 0, "NONE": 1, "PHONE_AGENCY": 2, "COORDINATE_WITH_DRIVER": 3,
    ])
    private static let relation = choice([
        "SCHEDULED": 0, "ADDED": 1, "UNSCHEDULED": 2, "CANCELED": 3, "CANCELLED": 3, "REPLACEMENT": 5,
        "DUPLICATED": 6, "DELETED": 7, "NEW": 8,
    ])
    private static let callRelation = choice([
        "SCHEDULED": 0, "SKIPPED": 1, "NO_DATA": 2, "UNSCHEDULED": 3,
    ])
    private static let progress = choice(["INCOMING_AT": 0, "STOPPED_AT": 1, "IN_TRANSIT_TO": 2])
    private static let congestion = choice([
        "UNKNOWN_CONGESTION_LEVEL": 0, "RUNNING_SMOOTHLY": 1, "STOP_AND_GO": 2, "CONGESTION": 3,
        "SEVERE_CONGESTION": 4,
    ])
    private static let cause = choice([
        "UNKNOWN_CAUSE": 1, "OTHER_CAUSE": 2, "TECHNICAL_PROBLEM": 3, "STRIKE": 4, "DEMONSTRATION": 5,
        "ACCIDENT": 6, "HOLIDAY": 7, "WEATHER": 8, "MAINTENANCE": 9, "CONSTRUCTION": 10,
        "POLICE_ACTIVITY": 11,
        "MEDICAL_EMERGENCY": 12, "SPECIAL_EVENT": 13,
    ])
    private static let effect = choice([
        "NO_SERVICE": 1, "REDUCED_SERVICE": 2, "SIGNIFICANT_DELAYS": 3, "DETOUR": 4, "ADDITIONAL_SERVICE": 5,
        "MODIFIED_SERVICE": 6, "OTHER_EFFECT": 7, "UNKNOWN_EFFECT": 8, "STOP_MOVED": 9, "NO_EFFECT": 10,
        "ACCESSIBILITY_ISSUE": 11,
    ])
    private static let severity = choice(["UNKNOWN_SEVERITY": 1, "INFO": 2, "WARNING": 3, "SEVERE": 4])
    private static let access = choice([
        "NO_VALUE": 0, "UNKNOWN": 1, "WHEELCHAIR_ACCESSIBLE": 2, "WHEELCHAIR_INACCESSIBLE": 3,
    ])
    private static let stopAccess = choice(["UNKNOWN": 0, "AVAILABLE": 1, "NOT_AVAILABLE": 2])

    private var list: [Field] {
        typealias T = MessageType
        return switch self {
        case .feed: [T.one(1, "header", .message(.header)), T.many(2, "entity", .message(.entity))]
        case .header:
            [
                T.one(1, "gtfs_realtime_version", .text),
                T.one(2, "incrementality", T.choice(["FULL_DATASET": 0, "DIFFERENTIAL": 1])),
                T.one(3, "timestamp", .instant), T.one(4, "feed_version", .text),
            ]
        case .entity:
            [
                T.one(1, "id", .text), T.one(2, "is_deleted", .flag),
                T.one(3, "trip_update", .message(.tripUpdate)),
                T.one(4, "vehicle", .message(.vehiclePosition)), T.one(5, "alert", .message(.alert)),
                T.one(7, "stop", .message(.stop)),
                T.one(8, "trip_modifications", .message(.modifications)),
            ]
        case .tripUpdate:
            [
                T.one(1, "trip", .message(.tripDescriptor)),
                T.many(2, "stop_time_update", .message(.stopTimeUpdate)),
                T.one(3, "vehicle", .message(.vehicleDescriptor)), T.one(4, "timestamp", .instant),
                T.one(5, "delay", .whole), T.one(6, "trip_properties", .message(.tripProperties)),
            ]
        case .tripDescriptor:
            [
                T.one(1, "trip_id", .text), T.one(2, "start_time", .text), T.one(3, "start_date", .text),
                T.one(4, "schedule_relationship", T.relation), T.one(5, "route_id", .text),
                T.one(6, "direction_id", .whole), T.one(7, "modified_trip", .message(.modifiedTrip)),
            ]
        case .modifiedTrip:
            [
                T.one(1, "modifications_id", .text), T.one(2, "affected_trip_id", .text),
                T.one(3, "start_time", .text), T.one(4, "start_date", .text),
            ]
        case .vehicleDescriptor:
            [
                T.one(1, "id", .text), T.one(2, "label", .text), T.one(3, "license_plate", .text),
                T.one(4, "wheelchair_accessible", T.access),
            ]
        case .stopTimeUpdate:
            [
                T.one(1, "stop_sequence", .whole), T.one(2, "arrival", .message(.stopTimeEvent)),
                T.one(3, "departure", .message(.stopTimeEvent)), T.one(4, "stop_id", .text),
                T.one(5, "schedule_relationship", T.callRelation),
                T.one(6, "stop_time_properties", .message(.stopTimeProperties)),
                T.one(7, "departure_occupancy_status", T.occupancy),
            ]
        case .stopTimeEvent:
            [
                T.one(1, "delay", .whole), T.one(2, "time", .instant), T.one(3, "uncertainty", .whole),
                T.one(4, "scheduled_time", .instant),
            ]
        case .stopTimeProperties:
            [
                T.one(1, "assigned_stop_id", .text), T.one(2, "stop_headsign", .text),
                T.one(3, "pickup_type", T.boarding), T.one(4, "drop_off_type", T.boarding),
            ]
        case .tripProperties:
            [
                T.one(1, "trip_id", .text), T.one(2, "start_date", .text), T.one(3, "start_time", .text),
                T.one(5, "trip_headsign", .text),
            ]
        case .vehiclePosition:
            [
                T.one(1, "trip", .message(.tripDescriptor)), T.one(2, "position", .message(.position)),
                T.one(3, "current_stop_sequence", .whole), T.one(4, "current_status", T.progress),
                T.one(5, "timestamp", .instant), T.one(6, "congestion_level", T.congestion),
                T.one(7, "stop_id", .text), T.one(8, "vehicle", .message(.vehicleDescriptor)),
                T.one(9, "occupancy_status", T.occupancy), T.one(10, "occupancy_percentage", .whole),
                T.many(11, "multi_carriage_details", .message(.carriage)),
            ]
        case .position:
            [
                T.one(1, "latitude", .real), T.one(2, "longitude", .real), T.one(3, "bearing", .real),
                T.one(5, "speed", .real),
            ]
        case .carriage:
            [
                T.one(1, "id", .text), T.one(2, "label", .text), T.one(3, "occupancy_status", T.occupancy),
                T.one(4, "occupancy_percentage", .whole), T.one(5, "carriage_sequence", .whole),
            ]
        case .alert:
            [
                T.many(1, "active_period", .message(.timeRange)),
                T.many(2, "communication_period", .message(.timeRange)),
                T.many(3, "impact_period", .message(.timeRange)),
                T.many(5, "informed_entity", .message(.selector)), T.one(6, "cause", T.cause),
                T.one(7, "effect", T.effect), T.one(8, "url", .message(.translated)),
                T.one(10, "header_text", .message(.translated)),
                T.one(11, "description_text", .message(.translated)), T.one(14, "severity_level", T.severity),
            ]
        case .timeRange: [T.one(1, "start", .instant), T.one(2, "end", .instant)]
        case .selector:
            [
                T.one(1, "agency_id", .text), T.one(2, "route_id", .text), T.one(3, "route_type", .whole),
                T.one(4, "trip", .message(.tripDescriptor)), T.one(5, "stop_id", .text),
                T.one(6, "direction_id", .whole),
            ]
        case .translated: [T.many(1, "translation", .message(.translation))]
        case .translation: [T.one(1, "text", .text), T.one(2, "language", .text)]
        case .modifications:
            [
                T.many(1, "selected_trips", .message(.selectedTrips)), T.many(2, "start_times", .text),
                T.many(3, "service_dates", .text), T.many(4, "modifications", .message(.modification)),
            ]
        case .selectedTrips: [T.many(1, "trip_ids", .text)]
        case .modification:
            [
                T.one(1, "start_stop_selector", .message(.stopSelector)),
                T.one(2, "end_stop_selector", .message(.stopSelector)),
                T.one(3, "propagated_modification_delay", .whole),
                T.many(4, "replacement_stops", .message(.replacementStop)),
            ]
        case .stopSelector: [T.one(1, "stop_sequence", .whole), T.one(2, "stop_id", .text)]
        case .replacementStop: [T.one(1, "travel_time_to_stop", .whole), T.one(2, "stop_id", .text)]
        case .stop:
            [
                T.one(1, "stop_id", .text), T.one(3, "stop_name", .message(.translated)),
                T.one(6, "stop_lat", .real), T.one(7, "stop_lon", .real), T.one(11, "parent_station", .text),
                T.one(12, "stop_timezone", .text), T.one(13, "wheelchair_boarding", T.stopAccess),
                T.one(15, "platform_code", .message(.translated)),
            ]
        }
    }
}
