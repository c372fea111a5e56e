import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Checks the rules of `routes.db`.
struct HikeChecks: StoreChecking {
    let kind = StoreKind.hikes
    private static let table = "saved_routes"

    /// Maximum bytes of an inflated track.
    var largestTrack = StoreSettings.largestTrack

    /// Checks every hike and its track.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind, missing: HikeFindings.columns, older: HikeFindings.older)
        var seen: [UUID: Int64] = [:]
        var same: [Int: Int64] = [:]
        var records: [String: Int64] = [:]
        var places = TrackPlaces()
        try run.visit(Self.table, Hike.columnNames + ["track_data"]) { row in
            let checked = CheckedHike(row: row, profile: run.profile, now: run.now) { kind, what, repair in
                let statement = repair.flatMap { repair in
                    row.number.map { "UPDATE saved_routes SET \(repair) WHERE _rowid_ = \($0)" }
                }
                run.add(
                    kind, table: Self.table, row: row.number, id: row.text("id"), what, repair: statement)
            }
            checked.identifier(&seen)
            checked.texts()
            checked.record(&records)
            checked.ends()
            checked.figures()
            let times = checked.times()
            // A row with another row's identifier is reported as that.
            if row.identifier("id").flatMap({ seen[$0] }) == row.number { checked.twin(&same) }
            if let points = checked.track(largest: largestTrack, times) {
                checked.compare(with: points, times, &places)
            }
        }
        for swap in places.swaps { swap.add(to: run, table: Self.table, places) }
        if run.profile.reader == .ios {
            try Plausibility.indexes(
                run, HikeFindings.index, [(Self.table, ["start_time"], "idx_routes_time")])
        }
    }
}

/// One hike under check.
struct CheckedHike {
    let row: CheckedRow
    let profile: FormatProfile
    let now: Timestamp?
    let note: (FindingKind, String, String?) -> Void

    /// Adds a finding; `repair` is the SQL assignment that fixes it.
    func add(_ kind: FindingKind, _ what: String, repair: String? = nil) { note(kind, what, repair) }

    typealias Times = (start: Timestamp?, end: Timestamp?)

    func identifier(_ seen: inout [UUID: Int64]) {
        guard row.has("id") else { return }
        guard let id = row.identifier("id") else {
            return add(HikeFindings.identifier, "id is \(row["id"].shown)")
        }
        if Plausibility.isNil(id) {
            return add(HikeFindings.identifier, "id is \(row["id"].shown), which names nothing")
        }
        if let first = seen[id] {
            add(HikeFindings.twice, "the same id as row \(first)")
        } else {
            seen[id] = row.number ?? 0
        }
    }

    func texts() {
        if row.has("name"), Plausibility.isBlank(row.text("name")) {
            add(HikeFindings.name, "name is \(row["name"].shown)")
        }
        if row.has("comment"), row.text("comment") == nil {
            let isNull = row.isNull("comment")
            add(
                HikeFindings.name, "comment is \(row["comment"].shown)", repair: isNull ? "comment = ''" : nil
            )
        }
        for column in ["region_id", "cloudkit_record_id"] where !row.isNull(column) && row.text(column) == nil
        {
            add(HikeFindings.text, "\(column) is \(row[column].shown)")
        }
        for column in ["name", "comment", "region_id", "cloudkit_record_id"] {
            let fault = column == "name" ? Plausibility.damageOfName : Plausibility.damage
            guard let damage = row.utf8(column, fault) else { continue }
            add(
                HikeFindings.damaged, "\(column) has \(damage)",
                repair: Plausibility.cleaned(row.text(column)).map { "\(column) = \($0.sqlLiteral)" })
        }
    }

    /// Compares the record in the cloud with those of the rows before.
    func record(_ records: inout [String: Int64]) {
        guard let record = row.text("cloudkit_record_id"), !record.isEmpty, let number = row.number else {
            return
        }
        if let first = records[record] {
            add(HikeFindings.record, "its record \(record.prefix(60)) in the cloud is that of row \(first)")
        } else {
            records[record] = number
        }
    }

    func ends() {
        for end in ["start", "end"] {
            for (suffix, limit) in [("_latitude", 90.0), ("_longitude", 180.0)] where row.has(end + suffix) {
                guard let number = row.number(end + suffix), abs(number) <= limit else {
                    add(HikeFindings.place, "\(end + suffix) is \(row[end + suffix].shown)")
                    continue
                }
            }
            if let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude"),
                Plausibility.isNull(latitude, longitude)
            {
                add(HikeFindings.zero, "the \(end) is 0,0")
            }
        }
    }

    func figures() {
        let sums = ["total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time"]
        for column in sums where row.has(column) && !(row.number(column).map(isSum) ?? false) {
            add(HikeFindings.number, "\(column) is \(row[column].shown)")
        }
        let isPlausible = row.number("estimated_calories").map {
            isSum($0) && $0 < CheckSettings.mostCalories
        }
        if !row["estimated_calories"].isNull, isPlausible != true {
            add(HikeFindings.number, "estimated_calories is \(row["estimated_calories"].shown)")
        }
        for column in ["avg_heart_rate", "max_heart_rate"] where !row[column].isNull {
            guard let rate = row.number(column), CheckSettings.heartRates.contains(rate) else {
                add(HikeFindings.number, "\(column) is \(row[column].shown)")
                continue
            }
        }
        if let average = row.number("avg_heart_rate"), let highest = row.number("max_heart_rate"),
            average > highest
        {
            add(
                HikeFindings.heart,
                "average \(Literal.number(average)), maximum \(Literal.number(highest))")
        }
        if let distance = row.number("total_distance"), let walking = row.number("walking_time"), walking > 0,
            distance / walking > CheckSettings.fastest
        {
            add(
                HikeFindings.speed,
                "\(metres(distance.rounded())) in \(Literal.duration(walking.rounded()))")
        }
    }

    /// The same recording under another identifier.
    func twin(_ same: inout [Int: Int64]) {
        guard case .blob(let track) = row["track_data"], !track.isEmpty, let start = row.text("start_time")
        else { return }
        var hasher = Hasher()
        hasher.combine(track)
        hasher.combine(start)
        hasher.combine(row.text("end_time"))
        let number = row.number ?? 0
        let hash = hasher.finalize()
        guard let first = same.updateValue(number, forKey: hash) else { return }
        same[hash] = first
        add(HikeFindings.same, "times and track are those of row \(first)")
    }

    func isSum(_ number: Double) -> Bool { number.isFinite && number >= 0 }

    func times() -> Times {
        let moments = ["start_time", "end_time"].map { column -> Timestamp? in
            if !row.has(column) { return nil }
            let moment = row.moment(column)
            if moment == nil {
                let clocks = Plausibility.clocks(column, of: row, now: now)
                add(HikeFindings.time, "\(column) is \(row[column].shown)\(clocks)")
            }
            if let moment,
                let refusal = row.utf8(column, { profile.hikeDates.refusal(utf8: $0, isDate: true) })
            {
                add(
                    HikeFindings.fraction,
                    "\(column) is '\(row.text(column) ?? "")', \(refusal.rawValue): \(profile.name) drops the row",
                    // Without a zone the moment is not known.
                    repair: refusal == .noZone
                        ? nil : "\(column) = '\(ISO8601.text(moment, fraction: .always))'")
            }
            if let words = Plausibility.strange(moment, now: now) {
                add(HikeFindings.year, "\(column) is \(words)")
            }
            return moment
        }
        modified(moments[0])
        if let start = moments[0], let end = moments[1], end < start {
            add(HikeFindings.order, "ends \(Literal.duration(start.seconds(since: end))) before it starts")
        }
        return (moments[0], moments[1])
    }

    private func modified(_ start: Timestamp?) {
        if row.isNull("modified_at") { return }
        guard let modified = row.moment("modified_at") else {
            let clocks = Plausibility.clocks("modified_at", of: row, now: now)
            return add(HikeFindings.time, "modified_at is \(row["modified_at"].shown)\(clocks)")
        }
        if let words = Plausibility.strange(modified, now: now) {
            add(HikeFindings.year, "modified_at is \(words)")
        } else if let start, start.seconds(since: modified) > CheckSettings.clockTolerance {
            let early = Literal.duration(start.seconds(since: modified).rounded())
            add(HikeFindings.before, "modified_at is \(early) before the start")
        }
    }

    // MARK: Track

    /// The points, if they can be compared with the figures.
    func track(largest: Int, _ times: Times) -> [TrackPoint]? {
        guard row.has("track_data") else { return nil }
        guard case .blob(let blob) = row["track_data"] else {
            add(HikeFindings.track, "track_data is \(row["track_data"].shown)")
            return nil
        }
        do {
            guard let track = try TrackBlob(blob, source: "track_data", limit: largest) else {
                add(
                    HikeFindings.track,
                    "track_data: \(TrackCodec.unreadable(blob.count))\(ForeignBytes.words(blob))")
                return nil
            }
            return points(track, blob, times)
        } catch {
            add(HikeFindings.track, error.message)
            return nil
        }
    }

    private func points(_ track: TrackBlob, _ blob: Data, _ times: Times) -> [TrackPoint]? {
        let size = blob.count
        if track.isCut {
            add(
                HikeFindings.cut,
                "track_data: the stream of \(size) bytes is cut short; \(track.points) points can be read")
            return nil
        }
        let rest = track.bytes.count % TrackCodec.recordSize
        if rest > 0 {
            let words = track.framing == .records ? ForeignBytes.words(blob) : ""
            add(HikeFindings.track, "track_data: \(TrackCodec.unreadable(track.bytes.count))\(words)")
            return nil
        }
        if !profile.framings.contains(track.framing) {
            add(
                HikeFindings.frame,
                "track_data: \(track.points) points in \(track.framing.rawValue) framing, which "
                    + "\(profile.name) does not inflate")
        }
        if track.trailing > 0 {
            add(
                HikeFindings.trailing,
                "track_data: a complete stream of \(track.points) points, and \(track.trailing, of: "byte") behind its end"
            )
        }
        let points = TrackCodec.points(track.bytes)
        if points.isEmpty {
            add(HikeFindings.empty, "no points in \(size) bytes")
            return nil
        }
        return isSound(points) && isOfItsEpoch(points, times) && isPlausible(points) ? points : nil
    }

    private func isOfItsEpoch(_ points: [TrackPoint], _ times: Times) -> Bool {
        guard let first = points.first?.time, let start = times.start else { return true }
        let difference = first.seconds(since: start)
        let day = 86_400.0
        if abs(difference - CheckSettings.epochDifference) < day {
            add(HikeFindings.epoch, "its times count from 1970, not from 2001", repair: nil)
            return false
        }
        let inReference = start.seconds - CheckSettings.epochDifference
        let stored = first.seconds - CheckSettings.epochDifference
        if inReference > 0, abs(stored / 1000 - inReference) < day || abs(stored / 1000 - start.seconds) < day
        {
            add(HikeFindings.epoch, "its times are milliseconds, not seconds")
            return false
        }
        return true
    }

    private func isPlausible(_ points: [TrackPoint]) -> Bool {
        let nulls = points.indices.filter {
            Plausibility.isNull(points[$0].coordinate.latitude, points[$0].coordinate.longitude)
        }
        if let first = nulls.first {
            add(
                HikeFindings.zero,
                "\(nulls.count) of \(points.count) points are 0,0, the first is point \(first + 1)")
            return false
        }
        if let words = points.lazy.compactMap({ Plausibility.strange($0.time, now: now) }).first {
            add(HikeFindings.year, "a point of the track is \(words)")
        }
        // The format stores an unknown altitude as 0.
        if let high = points.first(where: {
            $0.coordinate.altitude.map { !CheckSettings.heights.contains($0) } ?? false
        }),
            let altitude = high.coordinate.altitude
        {
            add(HikeFindings.height, "a point of the track is at \(metres(altitude.rounded()))")
        }
        if let leg = Plausibility.teleport(points) {
            add(HikeFindings.jump, Plausibility.words(leg, of: points.count))
            return false
        }
        return true
    }

    private func isSound(_ points: [TrackPoint]) -> Bool {
        if let bad = points.firstIndex(where: { !$0.coordinate.isValid || $0.time == nil }) {
            let coordinate = points[bad].coordinate
            let what =
                coordinate.isValid
                ? "its time is not a number" : "\(coordinate.latitude),\(coordinate.longitude)"
            add(HikeFindings.point, "point \(bad + 1) of \(points.count): \(what)")
            return false
        }
        let times = points.compactMap(\.time)
        if let step = zip(times, times.dropFirst()).enumerated().first(where: { $1.1 < $1.0 }) {
            let back = Literal.duration(step.element.0.seconds(since: step.element.1))
            add(HikeFindings.backwards, "point \(step.offset + 2) of \(points.count) is \(back) earlier")
        }
        return true
    }

    func metres(_ value: Double) -> String { Literal.quantity(.metres(value)) }
}
