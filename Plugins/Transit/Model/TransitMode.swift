/// The mode of a stop on maps and drawers.
enum TransitMode: String, Sendable, CaseIterable {
    case train, bus, ferry, tram, metro
    /// Another mode, or no routes.
    case other

    /// The icon, by the name that apps use (SF Symbols).
    var icon: String { look.icon }
    /// The colour of pins, six hexadecimal digits.
    var colorHex: String { look.color }

    /// The text for screen readers: `train stop`, or only `stop`.
    var spoken: String { self == .other ? "stop" : "\(rawValue) stop" }

    private var look: (icon: String, color: String) {
        switch self {
        case .train: ("train.side.front.car", "C0392B")
        case .bus: ("bus.fill", "2471A3")
        case .ferry: ("ferry.fill", "117A65")
        case .tram: ("tram.fill", "B9770E")
        case .metro: ("lightrail.fill", "6C3483")
        case .other: ("mappin", "5D6D7E")
        }
    }

    /// The mode of a `route_type`; `nil` for a stop without routes.
    init(routeType: Int?) {
        guard let routeType else {
            self = .other
            return
        }
        self = Self.table.first { $0.types.contains(routeType) }?.mode ?? .other
    }

    /// Whether a `route_type` that a message names stands for that of a line: the same one; a basic one or a class of extended ones
    /// (700, all buses) for all in it. A kind of it alone (704, local buses) does not stand for lines whose kind is unknown.
    static func isSame(_ type: Int, asked own: Int) -> Bool {
        if type == own { return true }
        func group(_ type: Int) -> Int? {
            isExtended(type) ? type / 100 : groups.first { $0.value == type }?.key
        }
        let isWhole = !isExtended(type) || type % 100 == 0
        return isWhole && group(type) != nil && group(type) == group(own)
    }

    /// The basic types of the classes of extended ones, by their hundreds.
    private static let groups = [1: 2, 4: 1, 7: 3, 8: 11, 9: 0, 10: 4, 13: 6, 14: 7]

    /// Whether a `route_type` is one of GTFS Schedule.
    static func isBasic(_ routeType: Int) -> Bool {
        (0...7).contains(routeType) || routeType == 11 || routeType == 12
    }

    /// Whether a `route_type` lies within the extended ones, which end at 1702.
    static func isExtended(_ routeType: Int) -> Bool { (100...1702).contains(routeType) }

    /// Route types of GTFS, then the extended ones (Google's list, after the European TPEG PTI), by hundreds.
    private static let table: [(types: ClosedRange<Int>, mode: TransitMode)] = [
        (0...0, .tram), (1...1, .metro), (2...2, .train), (3...3, .bus), (4...4, .ferry),
        // Cable tram, funicular; trolleybus, monorail. An aerial lift (6) is `other`.
        (5...5, .tram), (7...7, .tram), (11...11, .bus), (12...12, .metro),
        // Railway; coach; urban railway and underground; bus; trolleybus; tram; water; ferry; funicular.
        (100...199, .train), (200...299, .bus), (400...499, .metro), (700...799, .bus), (800...899, .bus),
        (900...999, .tram), (1000...1099, .ferry), (1200...1299, .ferry), (1400...1499, .tram),
    ]
}
