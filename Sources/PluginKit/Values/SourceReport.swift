import CivilTime

/// What became of one source of an import.
public struct SourceReport: DomainObject {
    /// The columns that are shown: the outcome, and what is known of any of the sources.
    public static func columns(of reports: [SourceReport]) -> [String] {
        let further = ["name", "distance", "duration", "points", "sensors", "notices"].filter { name in
            reports.contains { report in
                switch report.field(name) {
                case .nothing, nil, .integer(0)?, .text("")?: false
                default: true
                }
            }
        }
        return ["file", "result", "kept"] + further
    }

    /// The words of what is counted as notices, below the rows: the number alone says nothing. Of many, the first of each source, and
    /// where the others are; `nil` if there are none.
    public static func note(of reports: [SourceReport]) -> String? {
        let noted = reports.filter { !$0.notices.isEmpty }
        guard !noted.isEmpty else { return nil }
        func line(_ report: SourceReport, _ most: Int) -> String {
            let more = report.notices.count - most
            let words = report.notices.prefix(most) + (more > 0 ? ["\(more) more"] : [])
            return (reports.count > 1 ? "\(report.file): " : "") + words.joined(separator: "; ")
        }
        let isWhole = noted.reduce(0) { $0 + $1.notices.count } <= shownNotices
        var lines = noted.prefix(shownNotices).map {
            line($0, isWhole ? shownNotices : max(1, shownNotices / noted.count))
        }
        if noted.count > shownNotices {
            lines.append("\(noted.count - shownNotices) more sources have notices")
        }
        let kept = reports.count { if case .imported = $0.result { $0.account != nil } else { false } }
        let last = kept == 1 ? "" : " \(kept)"
        return lines.joined(separator: "\n")
            + (isWhole || kept == 0 ? "" : "\nall: `account | last\(last) | account`")
    }

    /// Notices that are shown below the rows.
    private static let shownNotices = 6

    /// What was dropped, repaired and doubted, in this order.
    public var notices: [String] { dropped + repaired + warnings }

    /// The outcome for a source.
    public enum Result: Sendable {
        /// Something was added.
        case imported
        /// All of it is in the store already, under this name.
        case duplicate(of: String)
        /// Nothing of it could be used.
        case failed(RutterError)
        /// It was passed by, for this reason.
        case unread(String)

        var words: String {
            switch self {
            case .imported: "imported"
            case .duplicate(let name): "duplicate of \(name)"
            case .failed: "failed"
            case .unread(let reason): "not read: \(reason)"
            }
        }
    }

    /// The path of the source, through its containers.
    public let file: String
    /// Its outcome.
    public var result: Result
    /// Its format.
    public var format: String?
    /// The names of what was added.
    public var names: [String] = []
    /// The added hikes.
    public var hikes: [any DomainObject] = []
    /// The added planned routes.
    public var routes: [any DomainObject] = []
    /// Number of waypoints added.
    public var waypoints = 0
    /// What was added, such as `1 hike, 2 waypoints`.
    public var kept = ""
    /// Sums over the added lines; `nil` if unknown.
    public var sums = Sums()
    /// Number of points of the added lines.
    public var points = 0
    /// Number of segments of the added lines.
    public var segments = 0
    /// The recorded sensors.
    public var sensors: [String] = []
    /// What became of the items of the source; `nil` where its reader does not count them.
    public var account: SourceAccount?
    /// Dropped data, with reasons.
    public var dropped: [String] = []
    /// Repaired data.
    public var repaired: [String] = []
    /// Doubtful data.
    public var warnings: [String] = []

    /// Sums over the added lines.
    public struct Sums: Sendable {
        /// Metres.
        public var distance: Double?
        /// Metres climbed.
        public var gain: Double?
        /// Metres descended.
        public var loss: Double?
        /// The earliest start.
        public var start: Timestamp?
        /// Seconds in motion.
        public var walking: Double?
        /// Seconds from start to end, or those of a plan.
        public var duration: Double?

        /// Nothing is known.
        public init() {}
    }

    /// The report of a source.
    public init(file: String, result: Result) {
        self.file = file
        self.result = result
    }

    /// `import`.
    public var typeName: String { "import" }
    /// The source and its outcome.
    public var summary: String { "\(file): \(result.words)" }
    private static let fields = [
        "file", "format", "result", "name", "kept", "hikes", "routes", "distance", "gain", "loss", "start",
        "moving",
        "duration", "points", "segments", "sensors", "waypoints", "account", "dropped", "repaired",
        "warnings",
        "notices",
    ]
    /// The same for all sources.
    public static let declaredFieldNames: [String]? = fields
    /// The same for all sources.
    public var fieldNames: [String] { Self.fields }

    /// The value of a field.
    public func field(_ name: String) -> Value? {
        switch name {
        case "file": .text(file)
        case "format": Value(format) { .text($0) }
        case "result": .text(resultWords)
        case "name": names.isEmpty ? .nothing : .text(names.joined(separator: ", "))
        case "kept": .text(kept)
        case "hikes": .list(hikes.map { .object($0) })
        case "routes": .list(routes.map { .object($0) })
        case "points": points > 0 ? .integer(points) : .nothing
        case "segments": points > 0 ? .integer(segments) : .nothing
        case "sensors": .text(sensors.joined(separator: ", "))
        case "waypoints": isRead ? .integer(waypoints) : .nothing
        case "account": Value(fullAccount) { .object(AccountObject($0)) }
        case "dropped": .list(dropped.map { .text($0) })
        case "repaired": .list(repaired.map { .text($0) })
        case "warnings": .list(warnings.map { .text($0) })
        case "notices": .integer(notices.count)
        default: measure(name)
        }
    }

    /// The account with the remarks of this report.
    public var fullAccount: SourceAccount? {
        guard var account else { return nil }
        account.source = file
        account.remarks += notices
        return account
    }

    /// Whether its content is known.
    private var isRead: Bool {
        switch result {
        case .imported, .duplicate: true
        case .failed, .unread: false
        }
    }

    private var resultWords: String {
        if case .failed(let error) = result { return "failed: \(error.message)" }
        return result.words
    }

    private func measure(_ name: String) -> Value? {
        switch name {
        case "distance": Value(sums.distance) { .quantity(.metres($0)) }
        case "gain": Value(sums.gain) { .quantity(.altitude($0.rounded())) }
        case "loss": Value(sums.loss) { .quantity(.altitude($0.rounded())) }
        case "moving": Value(sums.walking) { .quantity(.seconds($0)) }
        case "start": Value(sums.start) { .date($0) }
        case "duration": Value(sums.duration) { .quantity(.seconds($0)) }
        default: nil
        }
    }
}
