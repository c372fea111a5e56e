import Archives
import CivilTime
import Formats
import Foundation
import PluginKit

/// The table of activities that stands beside their files in an archive of a service: names, kinds, descriptions and gear.
struct ActivityTable {
    /// A row.
    struct Activity {
        var name: String?
        var type: String?
        var comment: String?
        var gear: String?
    }

    /// The services.
    enum Service {
        case strava, garmin, apple

        /// The service whose table a file is by its beginning; `nil` if it is none.
        init?(_ head: HeadText) {
            if StravaActivities.isTable(head.text) {
                self = .strava
            } else if GarminActivities.isTable(head.text) {
                self = .garmin
            } else if AppleWorkouts.isTable(head) {
                self = .apple
            } else {
                return nil
            }
        }
    }

    /// Its kind among those of an importer.
    static let kind = "activities"
    /// Bytes by which one is recognised.
    static let recognised = 4096
    /// Seconds by which the start of a recording may lie behind that of its activity, until there is a position.
    static let longestStart = 60.0
    /// Seconds from a moment within which a heart rate of the table is that of the moment.
    static let nearestRate = 5.0

    /// The activities by their file, relative to the table.
    var activities: [String: Activity] = [:]
    /// The activities of services that do not name the files, by their start.
    var started: [(start: Timestamp, activity: Activity)] = []
    /// The names and days of activities without a file, as those entered by hand.
    var unrecorded: [String] = []
    /// Heart rates in beats per minute that are in no file of a recording, by time.
    var rates: [(time: Timestamp, rate: Double)] = []
    /// Heart rates that nobody has, or without a time.
    var impossibleRates = 0
    /// What could not be read.
    var doubts: [String] = []

    /// Whether a file is such a table.
    static func isTable(_ source: SourceBytes) throws -> Bool {
        Service(HeadText(try source.bytes(at: 0, count: recognised))) != nil
    }

    private init() {}

    /// Reads a table. Throws `E-IMPORT-FORMAT` with the line.
    init(_ source: SourceBytes, check: () throws -> Void) throws {
        self.init()
        switch Service(HeadText(try source.bytes(at: 0, count: Self.recognised))) {
        case .strava: try StravaActivities.read(source, into: &self)
        case .garmin: try GarminActivities.read(source, into: &self, check: check)
        case .apple: try AppleWorkouts.read(source, into: &self, check: check)
        case nil: throw ImportErrors.format("\(source.name) is no table of activities")
        }
    }

    /// The number of activities that it names.
    var count: Int { activities.count + started.count }

    /// The activity of a recording by its file, or by its start if only one began then.
    func activity(of file: String?, startingAt start: Timestamp?) -> Activity? {
        if let file, let known = activities[file] { return known }
        guard let start else { return nil }
        let near = started.filter { Self.isStart(start, of: $0.start) }
        return near.count == 1 ? near[0].activity : nil
    }

    /// Whether a recording begins with an activity.
    static func isStart(_ time: Timestamp, of start: Timestamp) -> Bool {
        (-1...longestStart).contains(time.seconds(since: start))
    }

    /// Fills the heart rates of a line that has none of its own; returns how many points have one then.
    func fillRates(of line: inout GPXLine) -> Int {
        guard !rates.isEmpty, !line.segments.contains(where: { $0.contains { $0.heartRate != nil } }) else {
            return 0
        }
        var filled = 0
        for part in line.segments.indices {
            for place in line.segments[part].indices {
                guard let time = line.segments[part][place].time, let rate = rate(at: time) else { continue }
                line.segments[part][place].heartRate = rate
                filled += 1
            }
        }
        return filled
    }

    private func rate(at time: Timestamp) -> Double? {
        let next = rates.partitionIndex { $0.time >= time }
        let near = [next - 1, next].filter(rates.indices.contains)
            .map { (rate: rates[$0].rate, seconds: abs(rates[$0].time.seconds(since: time))) }
            .min { $0.seconds < $1.seconds }
        return near.flatMap { $0.seconds <= Self.nearestRate ? $0.rate : nil }
    }
}

extension TrackImport {
    /// Takes the table of an archive; the hikes of its files get its names when all of them are in.
    func take(_ table: ActivityTable, _ file: SourceFile) -> SourceReport {
        let folder = file.path.lastIndex(of: "/").map { String(file.path[...$0]) } ?? ""
        tables.append((file.path, folder, table))
        var report = SourceReport(file: file.path, result: .imported)
        report.format = ActivityTable.kind
        let rows = table.unrecorded
        report.dropped += rows.prefix(Self.mostRows).map { "activity \($0) has no file, not imported" }
        if rows.count > Self.mostRows {
            report.dropped.append(
                "\(rows.count - Self.mostRows) more activities have no file, not imported")
        }
        report.warnings += table.doubts
        report.account = SourceAccount(
            parts: [
                .init(
                    item: "activity", seen: table.count + rows.count, used: table.count,
                    entries: [.init(.setAside, "without a file", count: rows.count)]),
                .init(
                    item: "heart rate", seen: table.rates.count + table.impossibleRates,
                    used: table.rates.count,
                    entries: [.init(.setAside, "impossible or without a time", count: table.impossibleRates)]),
            ].filter { $0.seen > 0 })
        let rates = table.rates.isEmpty ? "" : ", \(table.rates.count, of: "heart rate")"
        report.kept = "names of \(table.count, of: "activity", plural: "activities")\(rates)"
        return report
    }

    /// Activities without a file that are named one by one.
    private static let mostRows = 20

    /// The activities of tables whose files are not in their archives.
    func missing(among files: Set<String>) -> [(file: String, words: String)] {
        tables.flatMap { file, folder, table in
            let missing = table.activities.filter { !files.contains(folder + $0.key) }
                .sorted { $0.key < $1.key }
            let words = missing.prefix(Self.mostRows).map { path, activity in
                "activity \(activity.name.map { "`\($0)` " } ?? "")names \(path), which is not there"
            }
            let more = missing.count - Self.mostRows
            let unbegun = table.started.filter { activity in
                !addedHikes.contains { ActivityTable.isStart($0.hike.startTime, of: activity.start) }
            }
            let without =
                unbegun.isEmpty
                ? []
                : [
                    "\(unbegun.count, of: "activity", plural: "activities") with which no recording begins that was added "
                        + "(first: \(unbegun[0].activity.name ?? "without a name") of \(ISO8601.text(unbegun[0].start, fraction: .never)))"
                ]
            return
                (words + without
                + (more > 0 ? ["\(more) more activities name files that are not there"] : []))
                .map { (file, $0) }
        }
    }

    /// Gives the hikes of this import the names, activities and texts that stand in the tables of their archives.
    func nameHikes() throws {
        guard !tables.isEmpty else { return }
        for (path, before, store) in addedHikes {
            for (_, folder, table) in tables {
                let file = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
                let activity = table.activity(of: file, startingAt: before.startTime)
                guard activity != nil || !table.rates.isEmpty else { continue }
                var (after, recording) = (before, try store.recording(of: before))
                let filled = table.fillRates(of: &recording.line)
                guard activity != nil || filled > 0 else { continue }
                if filled > 0 {
                    if let statistics = HikeStatistics(segments: recording.segments) {
                        after.averageHeartRate = statistics.averageHeartRate
                        after.maximumHeartRate = statistics.maximumHeartRate
                    }
                    recording.notices.append(
                        "\(filled, of: "heart rate") from the table of the archive, of at most "
                            + "\(Int(ActivityTable.nearestRate)) s beside the point")
                }
                if let name = activity?.name, options.name == nil { after.name = name }
                let gear = activity?.gear.map { "Gear: \($0)" }
                let texts = [before.comment.nonEmpty ?? activity?.comment, gear].compactMap(\.self)
                after.comment = texts.joined(separator: "\n")
                recording.line.type = activity?.type ?? recording.line.type
                try undo.replace(before, by: after, recording, in: store)
                break
            }
        }
    }
}
