/// The type of a record, as the code stored in databases. A newer version may know more types: a record of an
/// unknown type is kept and sent on unchanged.
package struct RecordType: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A recorded hike.
    package static let savedRoute = RecordType(rawValue: 0)
    /// A waypoint.
    package static let waypoint = RecordType(rawValue: 1)
    /// A planned route.
    package static let plannedRoute = RecordType(rawValue: 2)
    /// The types that this version knows.
    package static let known = [savedRoute, waypoint, plannedRoute]

    /// The name of the type in the cloud.
    package var word: String {
        switch self {
        case .savedRoute: "SavedRoute"
        case .waypoint: "Waypoint"
        case .plannedRoute: "PlannedRoute"
        default: "type \(rawValue)"
        }
    }

    package static func < (left: RecordType, right: RecordType) -> Bool { left.rawValue < right.rawValue }
}

/// The name of a record: the 128 bits of its UUID. Two words, so that the simulator can use small numbers and
/// comparisons need no library call.
package struct RecordName: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package static func < (left: RecordName, right: RecordName) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// A record's type and name. The order is the order of full fetches.
package struct RecordKey: Hashable, Sendable, Comparable {
    package let type: RecordType
    package let name: RecordName

    /// The key directly before this one; `nil` for the first.
    var predecessor: RecordKey? {
        if name.low > 0 { return RecordKey(type: type, name: RecordName(high: name.high, low: name.low - 1)) }
        if name.high > 0 { return RecordKey(type: type, name: RecordName(high: name.high - 1, low: .max)) }
        if type.rawValue == 0 { return nil }
        return RecordKey(
            type: RecordType(rawValue: type.rawValue - 1), name: RecordName(high: .max, low: .max))
    }

    /// The bits of a UUID are well distributed together, though not in either half; types rarely share one.
    package func hash(into hasher: inout Hasher) { hasher.combine(name.high ^ name.low) }

    package static func == (left: RecordKey, right: RecordKey) -> Bool {
        left.name == right.name && left.type.rawValue == right.type.rawValue
    }

    package static func < (left: RecordKey, right: RecordKey) -> Bool {
        left.type.rawValue == right.type.rawValue ? left.name < right.name : left.type < right.type
    }
}
