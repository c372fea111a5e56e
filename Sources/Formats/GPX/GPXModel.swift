import CivilTime
import Geodesy

/// A point of a GPX file with its data. Texts take eight bytes if there are none, as for most points of a
/// recording.
public struct GPXPoint: Sendable, Hashable {
    /// The coordinate, with the altitude from `ele` in metres.
    public var coordinate: Coordinate
    /// `time`
    public var time: Timestamp?
    /// Sensor values: from the Garmin extensions, in GPX 1.0 also `speed` and `course`.
    public var sensors = PointSensors()
    /// At most one element, and never an empty one.
    private var words: [Words] = []

    private struct Words: Sendable, Hashable {
        var name: String?
        var description: String?
        var comment: String?
        var links: [WebLink] = []
        var symbol: String?
        var type: String?
        var details: [GPXDetail] = []
        var extensions: String?
    }

    private mutating func edit(_ change: (inout Words) -> Void) {
        if words.isEmpty { words.append(Words()) }
        change(&words[0])
        if words[0] == Words() { words = [] }
    }

    /// Whether it has texts, links, details or extensions.
    public var hasWords: Bool { !words.isEmpty }

    /// `name`
    public var name: String? {
        get { words.first?.name }
        set { edit { $0.name = newValue } }
    }

    /// `desc`, or `cmt` if there is no `desc`.
    public var description: String? {
        get { words.first?.description }
        set { edit { $0.description = newValue } }
    }

    /// `cmt` if there is a `desc`, too.
    public var comment: String? {
        get { words.first?.comment }
        set { edit { $0.comment = newValue } }
    }

    /// Its links (in GPX 1.0 `url` and `urlname`).
    public var links: [WebLink] {
        get { words.first?.links ?? [] }
        set { edit { $0.links = newValue } }
    }

    /// `sym`
    public var symbol: String? {
        get { words.first?.symbol }
        set { edit { $0.symbol = newValue } }
    }

    /// `type`
    public var type: String? {
        get { words.first?.type }
        set { edit { $0.type = newValue } }
    }

    /// Further details in schema order, each kind once.
    public var details: [GPXDetail] {
        get { words.first?.details ?? [] }
        set { edit { $0.details = newValue } }
    }

    /// Other content of `extensions`, as XML that declares its own namespaces.
    public var extensions: String? {
        get { words.first?.extensions }
        set { edit { $0.extensions = newValue } }
    }

    /// Heart rate in beats per minute.
    public var heartRate: Double? {
        get { sensors.heartRate }
        set { sensors.heartRate = newValue }
    }

    /// The address of the first link.
    public var link: String? {
        get { links.first?.address }
        set { links = newValue.map { [WebLink($0)] } ?? [] }
    }

    /// A point.
    public init(
        coordinate: Coordinate, time: Timestamp? = nil, name: String? = nil, description: String? = nil,
        symbol: String? = nil, type: String? = nil, heartRate: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        sensors.heartRate = heartRate
        if name != nil || description != nil || symbol != nil || type != nil {
            words = [Words(name: name, description: description, symbol: symbol, type: type)]
        }
    }
}

/// A route or track of a GPX file.
public struct GPXLine: Sendable, Hashable {
    /// `name`
    public var name: String?
    /// `cmt`
    public var comment: String?
    /// `desc`
    public var description: String?
    /// `src`
    public var source: String?
    /// Its links (in GPX 1.0 `url` and `urlname`).
    public var links: [WebLink] = []
    /// `number`
    public var number: Int?
    /// `type`: the activity.
    public var type: String?
    /// Other content of `extensions`, as XML that declares its own namespaces.
    public var extensions: String?
    /// The points; a route has one segment.
    public var segments: [[GPXPoint]]
    /// Laps with the device's numbers, from FIT and TCX.
    public var laps: [TrackLap] = []
    /// Measurements without a position, from FIT and TCX, ordered by time.
    public var unplaced: [UnplacedSample] = []
    /// The device that recorded it, from FIT and TCX.
    public var device: String?
    /// Kilocalories as counted by the device, from FIT and TCX.
    public var calories: Double?
    /// The device's own totals, from FIT and TCX; of the recording as it was, so an edit removes them.
    public var totals: DeviceTotals?
    /// Whether its times are those of a plan, as of a course in FIT and TCX.
    public var isPlan = false
    /// What became unknown or was left out when it was read, for the account of an import.
    public var doubts: [String] = []

    /// What is said of points whose position is none.
    package static let astray = "points without a position, since theirs is none"

    /// What is said of a file with a course.
    static let coursePlan = "a course is a plan, not a recording: its times are those of the plan"

    /// The address of the first link.
    public var link: String? {
        get { links.first?.address }
        set { links = newValue.map { [WebLink($0)] } ?? [] }
    }

    /// Activities on foot; the time in motion of others is not called walking.
    private static let onFoot: Set<String> = [
        "hiking", "hike", "walking", "walk", "running", "run", "mountaineering", "snowshoeing", "trekking",
        "trail running", "trail_running",
    ]

    /// Whether an activity is one on foot, as an unknown one is taken to be.
    public static func isOnFoot(_ activity: String?) -> Bool {
        guard let activity, !activity.isEmpty else { return true }
        return onFoot.contains(activity.lowercased()) || onFoot.contains(TrackActivity.named(activity))
    }

    /// Parts of the names of activities by bicycle, and of those that only sound like it.
    private static let byBicycle = ["cycl", "bik", "mtb", "gravel", "velo"]
    private static let notByBicycle = ["motor", "moto ", "radio", "indoor", "virtual", "spin"]

    /// Whether an activity is one by bicycle.
    public static func isByBicycle(_ activity: String?) -> Bool {
        guard let name = activity?.lowercased() else { return false }
        return byBicycle.contains(where: name.contains) && !notByBicycle.contains(where: name.contains)
    }

    /// The device without its serial number, which tells a stranger that two files are of one person.
    public var deviceName: String? { device?.withoutSerial.nonEmpty }

    /// The number of points.
    public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }

    /// A line.
    public init(
        name: String? = nil, description: String? = nil, type: String? = nil, segments: [[GPXPoint]] = []
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.segments = segments
    }
}

/// The content of a GPX file.
public struct GPXDocument: Sendable, Hashable {
    /// The name in the metadata.
    public var name: String?
    /// The description in the metadata.
    public var description: String?
    /// The author's name in the metadata.
    public var author: String?
    /// The author's email address.
    public var authorEmail: String?
    /// The author's link.
    public var authorLink: WebLink?
    /// `copyright`
    public var copyright: FileCopyright?
    /// What is doubtful about the file as a whole: it is cut, or has values that are none.
    public var doubts: [String] = []
    /// What became of its points; `nil` where the format's reader does not count them.
    public var account: PointAccount?
    /// The links of the metadata.
    public var links: [WebLink] = []
    /// The program that wrote the file.
    public var creator: String?
    /// The time in the metadata.
    public var time: Timestamp?
    /// The keywords in the metadata, unparsed.
    public var keywords: String?
    /// Other content of `extensions` below the root, as XML that declares its own namespaces.
    public var extensions: String?
    /// Dropped content, with counts.
    public var notices: [String] = []
    /// `wpt`
    public var waypoints: [GPXPoint] = []
    /// `rte`
    public var routes: [GPXLine] = []
    /// `trk`
    public var tracks: [GPXLine] = []

    /// An empty document.
    public init() {}
}

/// Limits of the GPX reader.
public enum GPXSettings {
    /// Bytes read at a time.
    package static let chunk = 256 << 10
    /// Maximum bytes of text in one element.
    package static let longestText = 1 << 20
    /// Maximum nesting of elements.
    package static let deepest = 64
    /// The same where points have no end tags, and each stands in the one before; the parser allows 256.
    static let deepestUnended = 240
    /// Maximum points of a file; they are kept in memory. A recording of 23 days with one point per second
    /// has as many.
    public static let mostPoints = 2_000_000
    /// Points between checks for cancellation.
    package static let checkInterval = 1000
    /// Maximum kinds of notice about dropped content.
    static let mostNotices = 100
    /// Heart rates that the TrackPointExtension can hold, in beats per minute.
    package static let heartRates = 1.0...255.0
}

extension String {
    /// The words of a device without its serial number.
    var withoutSerial: String {
        split(separator: ", ").filter { !$0.hasPrefix("serial ") }.joined(separator: ", ")
    }
}
