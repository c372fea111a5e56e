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
        var places = TrackPlaces()
        try run.visit(Self.table, HikeRow.names + ["track_data"]) { row in
            let checked = CheckedHike(row: row, profile: run.profile, now: run.now) { kind, what, repair in
                let statement = repair.flatMap { repair in
                    row.number.map { "UPDATE saved_routes SET \(repair) WHERE _rowid_ = \($0)" }
                }
                run.add(
                    kind, table: Self.table, row: row.number, id: row.text("id"), what, repair: statement)
            }
            checked.identifier(&seen)
            checked.texts()
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
private struct CheckedHike {
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
        if let first = seen[id] {
            add(HikeFindings.twice, "the same id as row \(first)")
        } else {
            seen[id] = row.number ?? 0
        }
    }

    func texts() {
        if row.has("name"), row.text("name")?.isEmpty ?? true {
            add(HikeFindings.name, "name is \(row["name"].shown)")
        }
        if row.has("comment"), row.text("comment") == nil {
            let isNull = row.isNull("comment")
            add(
                HikeFindings.name, "comment is \(row["comment"].shown)", repair: isNull ? "comment = ''" : nil
            )
        }
        for column in ["name", "comment"] {
            guard let damage = row.utf8(column, Plausibility.damage) else { continue }
            add(
                HikeFindings.damaged, "\(column) has \(damage)",
                repair: Plausibility.cleaned(row.text(column)).map { "\(column) = \($0.sqlLiteral)" })
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

    private func isSum(_ number: Double) -> Bool { number.isFinite && number >= 0 }

    func times() -> Times {
        let moments = ["start_time", "end_time"].map { column -> Timestamp? in
            if !row.has(column) { return nil }
            let moment = row.moment(column)
            if moment == nil { add(HikeFindings.time, "\(column) is \(row[column].shown)") }
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
            return add(HikeFindings.time, "modified_at is \(row["modified_at"].shown)")
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
                add(HikeFindings.track, "track_data: \(TrackCodec.unreadable(blob.count))")
                return nil
            }
            return points(track, blob.count, times)
        } catch {
            add(HikeFindings.track, error.message)
            return nil
        }
    }

    private func points(_ track: TrackBlob, _ size: Int, _ times: Times) -> [TrackPoint]? {
        if track.isCut {
            add(
                HikeFindings.cut,
                "track_data: the stream of \(size) bytes is cut short; \(track.points) points can be read")
            return nil
        }
        let rest = track.bytes.count % TrackCodec.recordSize
        if rest > 0 {
            add(HikeFindings.track, "track_data: \(TrackCodec.unreadable(track.bytes.count))")
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

    // MARK: Figures against the track

    func compare(with recorded: [TrackPoint], _ times: Times, _ places: inout TrackPlaces) {
        // The format stores an unknown altitude as 0.
        let points = recorded.map { point in
            var point = point
            if point.coordinate.altitude == 0 { point.coordinate.altitude = nil }
            return point
        }
        guard let statistics = HikeStatistics(segments: [points]) else { return }
        compareEnds(statistics, &places)
        compareTimes(statistics, times)
        compareDistance(points, statistics)
        compareClimb(points, statistics)
        compareDuration(times)
    }

    private func compareEnds(_ statistics: HikeStatistics, _ places: inout TrackPlaces) {
        let (start, finish) = (column("start"), column("end"))
        if let start, let finish, let number = row.number {
            let swapped = [(start, statistics.start), (finish, statistics.end)].allSatisfy {
                recorded, actual in
                let turned = Coordinate(latitude: recorded.longitude, longitude: recorded.latitude)
                return turned.isValid && turned.distance(to: actual) <= CheckSettings.endTolerance
                    && recorded.distance(to: actual) > CheckSettings.endTolerance
            }
            if swapped {
                places.swaps.append(
                    .init(
                        row: number, id: row.text("id"), stored: start, track: statistics.start,
                        blob: swappedTrack))
                return
            }
            if start.distance(to: statistics.start) <= CheckSettings.endTolerance {
                places.agreed.append(start)
            }
        }
        for (end, actual) in [("start", statistics.start), ("end", statistics.end)] {
            guard let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude")
            else { continue }
            let recorded = Coordinate(latitude: latitude, longitude: longitude)
            let distance = recorded.distance(to: actual)
            if recorded.isValid, distance > CheckSettings.endTolerance,
                !Plausibility.isNull(latitude, longitude)
            {
                let swapped = Coordinate(latitude: longitude, longitude: latitude)
                let isSwapped = swapped.isValid && swapped.distance(to: actual) <= CheckSettings.endTolerance
                // The other end confirms the track.
                let other = end == "start" ? (finish, statistics.end) : (start, statistics.start)
                let isConfirmed =
                    other.0.map { $0.distance(to: other.1) <= CheckSettings.endTolerance } ?? false
                add(
                    HikeFindings.ends,
                    "\(end) is \(metres(distance)) from the track's"
                        + (isSwapped ? ": latitude and longitude are swapped" : ""),
                    repair: isSwapped && isConfirmed
                        ? "\(end)_latitude = \(end)_longitude, \(end)_longitude = \(end)_latitude" : nil)
            }
        }
    }

    /// A valid end as the columns have it.
    private func column(_ end: String) -> Coordinate? {
        guard let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude"),
            !Plausibility.isNull(latitude, longitude)
        else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }

    /// The track with the latitude and longitude of each record exchanged; `nil` if it is in another app's format.
    private func swappedTrack() -> Data? {
        guard case .blob(let blob) = row["track_data"],
            // It was inflated for this check.
            let track = try? TrackBlob(blob, source: "track_data"),
            track.framing == .raw || track.framing == .records
        else { return nil }
        var bytes = track.bytes
        for start in stride(from: 0, to: bytes.count - TrackCodec.recordSize + 1, by: TrackCodec.recordSize) {
            for offset in start..<start + 4 { bytes.swapAt(offset, offset + 4) }
        }
        return track.framing == .raw ? RawDeflate.deflate(bytes) : Data(bytes)
    }

    private func compareTimes(_ statistics: HikeStatistics, _ times: Times) {
        // A track without times has the same time in every record, and its hike no duration.
        guard let first = statistics.startTime, let last = statistics.endTime else { return }
        if first == last, let start = times.start, let end = times.end {
            let lasting = end.seconds(since: start)
            if lasting > CheckSettings.timeTolerance {
                add(
                    HikeFindings.span,
                    "all points of the track have the same time, and the hike lasts \(Literal.duration(lasting.rounded()))"
                )
            }
        }
        guard first < last else { return }
        for (end, recorded, actual) in [("start_time", times.start, first), ("end_time", times.end, last)] {
            guard let difference = recorded?.seconds(since: actual) else { continue }
            if abs(difference) > CheckSettings.timeTolerance {
                let direction = difference > 0 ? "after" : "before"
                add(
                    HikeFindings.span,
                    "\(end) is \(Literal.duration(abs(difference))) \(direction) the track's")
            }
        }
    }

    private func compareDistance(_ points: [TrackPoint], _ statistics: HikeStatistics) {
        guard let recorded = row.number("total_distance"), isSum(recorded) else { return }
        let legs = zip(points, points.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        let ordinary = legs.sorted()[safe: legs.count / 2] ?? 0
        let longest = max(CheckSettings.gapLength, CheckSettings.gapLegs * ordinary)
        let gaps = legs.filter { $0 > longest }.reduce(0, +)
        let most = statistics.distance
        let tolerance = CheckSettings.distanceTolerance + CheckSettings.distanceShare * most
        if recorded > most + tolerance || recorded < most - gaps - tolerance {
            add(HikeFindings.distance, "total_distance is \(metres(recorded)), the track's \(metres(most))")
        }
    }

    private func compareClimb(_ points: [TrackPoint], _ statistics: HikeStatistics) {
        guard points.contains(where: { $0.coordinate.altitude != nil }) else { return }
        for (column, actual) in [("elevation_gain", statistics.gain), ("elevation_loss", statistics.loss)] {
            guard let recorded = row.number(column), isSum(recorded) else { continue }
            let factor = CheckSettings.climbFactor
            if max(recorded, actual) > factor * min(recorded, actual) + CheckSettings.climbTolerance {
                add(HikeFindings.climb, "\(column) is \(metres(recorded)), the track's \(metres(actual))")
            }
        }
    }

    private func compareDuration(_ times: Times) {
        guard let start = times.start, let end = times.end, start < end,
            let walking = row.number("walking_time"), let resting = row.number("resting_time"),
            isSum(walking), isSum(resting)
        else { return }
        let whole = end.seconds(since: start)
        let tolerance = CheckSettings.durationTolerance + CheckSettings.durationShare * whole
        if abs(walking + resting - whole) > tolerance {
            let sum = Literal.duration((walking + resting).rounded())
            add(HikeFindings.duration, "\(sum) of \(Literal.duration(whole.rounded()))")
        }
    }

    private func metres(_ value: Double) -> String { Literal.quantity(.metres(value)) }
}
