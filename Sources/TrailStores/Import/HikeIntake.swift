import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// Makes hikes of the lines of a file, except those that the store has already.
final class HikeIntake {
    private let run: TrackImport
    private let tracks: ImportedTracks
    private let file: SourceFile
    private let sha256: String?
    private var store: HikeStore?
    /// The hikes of the store, which stay the same until `insert`.
    private var stored: [Hike] = []
    private(set) var made: [HikeStore.NewHike] = []

    init(_ run: TrackImport, _ tracks: ImportedTracks, _ file: SourceFile, _ sha256: String?) {
        (self.run, self.tracks, self.file, self.sha256) = (run, tracks, file, sha256)
    }

    /// Makes hikes of lines; nothing is stored yet.
    func make(_ lines: [GPXLine], _ report: inout SourceReport) async throws -> HikeIntake {
        guard !lines.isEmpty else { return self }
        let store = try run.importer.hikes.writableStore(run.context)
        self.store = store
        stored = try store.all()
        for (index, line) in lines.enumerated() {
            try run.context.checkCancelled()
            try await add(line, index, of: lines.count, store, &report)
        }
        let taking = run.context.all((any HikeTaking).self).first
        report.names += made.map(\.hike.displayName)
        report.hikes = made.compactMap { taking?.object(of: $0.hike, in: store) }
        report.sums.add(made.map(\.hike))
        return self
    }

    private func add(
        _ line: GPXLine, _ index: Int, of count: Int, _ store: HikeStore, _ report: inout SourceReport
    ) async throws {
        let isOnly = count == 1
        let now = run.context.clock.now
        var recording = Recording(
            line: line,
            origin: .init(
                file: file.path, format: tracks.format, sha256: sha256,
                account: tracks.document.account.map { SourceAccount(source: file.path, parts: [$0.part]) }))
        // Most lines are new: the points of a single one are packed while it is measured and compared.
        let points = isOnly ? try PackingPoints(line, start: now) : nil
        let statistics = HikeStatistics(segments: recording.segments)
        guard statistics != nil || line.isIndoors else {
            report.dropped.append(line.withoutWay("track \(index + 1)"))
            return
        }
        if !run.options.isRepeating,
            let known = duplicate(of: recording, statistics, in: store)
        {
            report.result = .duplicate(of: known.hike.displayName)
            report.dropped.append(
                "track \(index + 1) is the walk of \(known.hike.displayName)"
                    + (known.recording.map { Self.surplus(line, over: $0.line) } ?? ""))
            return
        }
        // Exporters repeat a track in the same file.
        if !run.options.isRepeating, line.pointCount > 1, line.isTimed,
            let twin = made.firstIndex(where: { $0.recording.line.segments == line.segments })
        {
            report.dropped.append(
                "track \(index + 1) repeats \(made[twin].hike.displayName) point by point, left out")
            return
        }
        // A thinned copy of a track, or that of another device, in the same file.
        let twin = run.options.isRepeating ? nil : twin(of: recording, statistics)
        let isOther = twin.map { Self.areNamedApart(line, $0.recording.line) } ?? false
        if let twin, !isOther {
            report.dropped.append(
                "track \(index + 1) is the walk of \(twin.hike.displayName), which stands in the same file, left out"
                    + Self.surplus(line, over: twin.recording.line))
            return
        }
        recording.document = tracks.document
        recording.document.tracks = []
        recording.document.routes = []
        recording.document.waypoints = []
        recording.document.notices = []
        recording.document.account = nil
        if isOnly { recording.waypoints = tracks.document.waypoints }
        let warnings =
            (line.isIndoors
                ? [line.withoutPositions] : [line.besidePositions, line.betweenPositions].compactMap(\.self))
            + line.doubts
            + RecordingCheck(line, statistics, now: now).warnings
            + [
                statistics.flatMap { copy(recording, $0, in: store) },
                statistics.flatMap { continuation(of: $0, line.type) },
                isOther ? twin.map(Self.company) : nil,
            ].compactMap(\.self)
        recording.notices = warnings
        report.warnings += warnings.map { isOnly ? $0 : "track \(index + 1): \($0)" }
        // The file's own identifier, unless it is in use.
        var wanted = isOnly ? tracks.lineID : nil
        let id = try store.freshID {
            defer { wanted = nil }
            return wanted ?? run.context.random.uuid()
        }
        let name = try await run.name(of: line, index, of: count, tracks.document, file.stem)
        let made = statistics.map { Hike(id: id, name: name, statistics: $0, now: now) }
        guard var hike = made ?? Hike(id: id, name: name, indoors: line) else { return }
        hike.comment = line.description ?? (isOnly ? tracks.document.description : nil) ?? ""
        hike.calories = line.calories
        hike.modifiedAt = now
        self.made.append((hike, recording, points))
        run.log.record(ImportSteps.added(file.path, hike))
        report.add(line)
    }

    /// That a recording has the positions of another one at the times of another zone.
    private func copy(_ recording: Recording, _ statistics: HikeStatistics, in store: HikeStore) -> String? {
        let here = made.lazy.map { made in
            ShiftedCopy(recording, statistics, of: made.hike) { made.recording }
        }
        let there = stored.lazy.map { hike in
            ShiftedCopy(recording, statistics, of: hike) { try? store.recording(of: hike) }
        }
        return (here.compactMap(\.self).first ?? there.compactMap(\.self).first)?.words
    }

    /// That a recording goes on where another one ended, or ends where another goes on, shortly after: perhaps one walk in two files.
    /// Of the same file, only one of the same activity: a race of several sports is several hikes.
    private func continuation(of statistics: HikeStatistics, _ activity: String?) -> String? {
        guard let start = statistics.startTime, let end = statistics.endTime else { return nil }
        let others = made.filter { $0.recording.line.type == activity }.map(\.hike)
        for hike in stored + others where hike.areTimesKnown && hike.isPlaceKnown {
            let isAfter = hike.endTime <= start
            let pause = isAfter ? start.seconds(since: hike.endTime) : hike.startTime.seconds(since: end)
            guard (0...RecordingSettings.longestChange).contains(pause) else { continue }
            let metres =
                isAfter
                ? hike.end.distance(to: statistics.start) : statistics.end.distance(to: hike.start)
            guard metres <= RecordingSettings.nearestChange else { continue }
            let words =
                isAfter
                ? "begins \(Literal.duration(pause)) after \(hike.displayName) ended"
                : "ends \(Literal.duration(pause)) before \(hike.displayName) begins"
            return
                "\(words), \(Literal.inMessage(.metres(metres.rounded()))) away: perhaps one walk in two recordings, "
                + "which `hike merge` joins"
        }
        return nil
    }

    /// The hike of the store that a recording is of, with its own recording if that can be read; without positions, one of the
    /// same times.
    private func duplicate(
        of recording: Recording, _ statistics: HikeStatistics?, in store: HikeStore
    ) -> (hike: Hike, recording: Recording?)? {
        if let statistics {
            return DuplicateSearch(store: store).hike(
                like: recording, statistics, among: stored, trace: &run.log
            ).map { ($0.hike, $0.recording) }
        }
        let times = recording.line.unplaced.map(\.time)
        let same = stored.first { hike in
            !hike.isPlaceKnown && hike.startTime == times.min() && hike.endTime == times.max()
        }
        return same.map { ($0, try? store.recording(of: $0)) }
    }

    /// The hike of this file whose walk a recording is of, at the same times.
    private func twin(of recording: Recording, _ statistics: HikeStatistics?) -> HikeStore.NewHike? {
        guard let start = statistics?.startTime, let end = statistics?.endTime, recording.hasTimes else {
            return nil
        }
        return made.first {
            $0.hike.areTimesKnown && $0.hike.isPlaceKnown && $0.hike.startTime <= end
                && start <= $0.hike.endTime
                && $0.recording.hasTimes && DuplicateSearch.isSame(recording, $0.recording)
        }
    }

    /// Whether two lines have names that differ, as those of people who walk together.
    private static func areNamedApart(_ one: GPXLine, _ other: GPXLine) -> Bool {
        let names = [one, other].map { ($0.name ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
        return !names.contains("") && names[0] != names[1]
    }

    /// That a hike of another name is of the same walk.
    private static func company(_ twin: HikeStore.NewHike) -> String {
        "of the same walk as \(twin.hike.displayName), which stands in the same file under another name: "
            + "somebody else's, or the way counts twice"
    }

    /// What a recording has that the kept one of the same walk lacks, in words.
    private static func surplus(_ line: GPXLine, over kept: GPXLine) -> String {
        func kinds(_ line: GPXLine) -> [String] {
            line.sensorNames
                + (line.segments.joined().contains { $0.coordinate.altitude != nil } ? ["elevation"] : [])
        }
        let lacking = Set(kinds(kept))
        let more = kinds(line).filter { !lacking.contains($0) }
        guard !more.isEmpty else { return "" }
        return ", which lacks its \(more.joined(separator: ", ")): with --again it is imported beside it"
    }

    /// Stores the hikes.
    func insert() throws {
        guard let store, !made.isEmpty else { return }
        try store.insertAll(made)
        run.undo.added(made.map(\.hike), to: store)
        run.addedHikes += made.map { (file.path, $0.hike, store) }
    }
}

extension TrackImport {
    /// The name of a line: as given, from the file, or from the places at its ends if a plugin names them.
    func name(
        of line: GPXLine, _ index: Int, of count: Int, _ document: GPXDocument, _ stem: String
    ) async throws -> String {
        if let name = options.name { return count > 1 ? "\(name) \(index + 1)" : name }
        let own = [line.name, count == 1 ? document.name : nil].compactMap { $0 }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        if let name = own.first(where: { !$0.isEmpty }) { return name }
        let parts = line.segments.filter { !$0.isEmpty }
        if let start = parts.first?.first, let end = parts.last?.last,
            let name = try await context.placeName(from: start.coordinate, to: end.coordinate)
        {
            return name
        }
        return count > 1 ? "\(stem) \(index + 1)" : stem
    }
}

extension GPXLine {
    /// Whether a point has a time.
    fileprivate var isTimed: Bool { segments.contains { $0.contains { $0.time != nil } } }

    /// Whether it was measured without any position; one moment is no activity, as one point is no track.
    var isIndoors: Bool {
        guard pointCount == 0, let first = unplaced.first?.time else { return false }
        return unplaced.contains { $0.time != first }
    }

    /// What a line without positions has instead.
    var withoutPositions: String {
        // Positions that cannot be read say nothing of where it was.
        let isIndoors = !doubts.contains { $0.hasPrefix(Self.astray) }
        return "recorded without \(isIndoors ? "positions, as indoors" : "a position that can be used"): "
            + "\(unplaced.count, of: "measurement"); the place is unknown"
    }

    /// What was measured well before the first position or after the last one; `nil` for the moments that a receiver needs to
    /// find where it is.
    var besidePositions: String? {
        let times = segments.joined().compactMap(\.time)
        guard let first = times.min(), let last = times.max() else { return nil }
        let beside = unplaced.filter { $0.time < first || $0.time > last }
        guard let start = beside.map(\.time).min(), let end = beside.map(\.time).max(),
            max(first.seconds(since: start), end.seconds(since: last)) > RecordingSettings.longestFix
        else { return nil }
        return
            "\(beside.count, of: "measurement") beside the positions, from \(ISO8601.text(start, fraction: .never)) until "
            + "\(ISO8601.text(end, fraction: .never)): kept, but in no time, distance or mean of this hike"
    }

    /// What was measured between the positions without one, as in a tunnel; `nil` for nothing.
    var betweenPositions: String? {
        let times = segments.joined().compactMap(\.time)
        guard let first = times.min(), let last = times.max() else { return nil }
        let count = unplaced.count { $0.time >= first && $0.time <= last }
        guard count > 0 else { return nil }
        return
            "\(count, of: "measurement") without a position between others: kept, but in no mean of this hike"
    }

    /// Why a line has no way, with what it has instead.
    func withoutWay(_ name: String) -> String {
        let why = ([pointCount == 0 ? "no point with a position" : "fewer than two points"] + doubts)
            .joined(separator: "; ")
        return "\(name) has \(why)"
    }
}

extension SourceReport {
    /// Counts the points, segments and sensors of an added line.
    mutating func add(_ line: GPXLine) {
        points += line.pointCount
        segments += line.segments.count
        for name in line.sensorNames where !sensors.contains(name) { sensors.append(name) }
    }
}

extension SourceReport.Sums {
    /// Adds hikes; what is unknown of one is unknown of all.
    mutating func add(_ hikes: [Hike]) {
        guard !hikes.isEmpty else { return }
        if hikes.allSatisfy(\.isDistanceKnown) { distance = hikes.reduce(0) { $0 + $1.distance } }
        if hikes.allSatisfy(\.isClimbKnown) {
            gain = hikes.reduce(0) { $0 + $1.gain }
            loss = hikes.reduce(0) { $0 + $1.loss }
        }
        guard hikes.allSatisfy(\.areTimesKnown) else { return }
        start = hikes.map(\.startTime).min()
        walking = hikes.reduce(0) { $0 + $1.walkingTime }
        duration = hikes.reduce(0) { $0 + $1.endTime.seconds(since: $1.startTime) }
    }

    /// Adds planned routes, if there are no hikes.
    mutating func add(_ routes: [PlannedRoute]) {
        guard !routes.isEmpty, distance == nil else { return }
        distance = routes.reduce(0) { $0 + $1.distance }
        if routes.allSatisfy({ $0.profile != nil || $0.gain != 0 || $0.loss != 0 }) {
            gain = routes.reduce(0) { $0 + $1.gain }
            loss = routes.reduce(0) { $0 + $1.loss }
        }
        duration = routes.reduce(0) { $0 + $1.duration }
    }
}
