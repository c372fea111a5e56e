import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// `hike split`
struct SplitHike: CommandProvider {
    let library: ActiveStore<HikeStore>
    private static let columns = ["name", "start", "distance", "points"]

    var name: String { "hike split" }

    var command: Command {
        Command(
            name, "split a hike into several",
            details: """
                Splits at pauses of at least --gap, at the time --at, every --distance, or at the first closest approach to \
                --place. The pause belongs to no part; at a time, distance or place the point there ends one part and \
                begins the next. The hike keeps the first part; the others are added as new hikes. \
                `hike show --original` of the first part is the whole hike; `undo` reverts the split.
                """,
            HikeOptions.hike,
            .option("gap", .quantity(.duration, in: 1...1e7), "shortest pause to split at"),
            .option("at", .date, "time to split at"),
            .option("distance", .quantity(.length, in: 1...1e8), "length of the parts"),
            .option("place", .namedPlace, "place to split at"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "at a pause of a minute", "hike split Walk --gap 1min | count", after: HikeExample.setup,
                    gives: "2")
            ],
            searchTerms: [
                "cut into days", "cut in two", "separate days", "cut", "divide", "days", "cut track in two",
                "two activities in one", "several walks in one file", "separate at a break",
            ]
        ) { context, hike, gap, moment, distance, place in
            guard [gap != nil, moment != nil, distance != nil, place != nil].count(where: { $0 }) == 1 else {
                throw HikeErrors.range(
                    "use one of --gap, --at, --distance and --place", at: .parameter("hike"))
            }
            let recording = try hike.checkedRecording()
            if gap != nil || moment != nil, !recording.hasTimes {
                throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
            }
            let nearest = place.map { place in
                recording.points.min {
                    $0.coordinate.distance(to: place.coordinate)
                        < $1.coordinate.distance(to: place.coordinate)
                }
            }
            var next = distance ?? .infinity
            var isDone = false
            func isCut(_ last: GPXPoint, _ point: GPXPoint, _ along: Double) -> Bool {
                if let gap, let before = last.time, let after = point.time {
                    return after.seconds(since: before) >= gap
                }
                if let moment, !isDone, let before = last.time, let after = point.time, before < moment,
                    after >= moment
                {
                    isDone = true
                    return true
                }
                if let distance, along >= next {
                    next = (along / distance).rounded(.down) * distance + distance
                    return true
                }
                if let nearest, !isDone, point == nearest {
                    isDone = true
                    return true
                }
                return false
            }
            var steps: [TraceStep] = []
            let isShared = gap == nil
            let count = recording.line.pointCount
            var number = 1
            var isCutAtEnd = false
            let parts = RecordingSplit.parts(recording, isShared: isShared) { last, point, along in
                number += 1
                var isCut = isCut(last, point, along)
                // Nothing follows the last point.
                if isCut, isShared, number == count { (isCut, isCutAtEnd) = (false, true) }
                if context.tracing != nil { steps.append(Self.step(last, point, along, isCut: isCut)) }
                return isCut
            }
            context.tracing?.keep(
                "points at which the hike may be split",
                from: .start(
                    [("points", .integer(recording.points.count))],
                    why: gap != nil
                        ? "a part ends at a pause that is long enough"
                        : moment != nil
                            ? "the first point at or after the time ends the first part and begins the second"
                            : distance != nil
                                ? "a part ends where its length is reached"
                                : "the point nearest to the place ends the first part and begins the second"),
                candidates: steps,
                to: .end([("parts", .integer(parts.count))], why: "all points are checked"))
            guard parts.count > 1 else {
                let why =
                    gap.map { "no pause of \(Literal.roundedDuration($0)) or longer" }
                    ?? (isCutAtEnd
                        ? "the point there is its last"
                        : moment != nil
                            ? "that time is not between two points"
                            : distance.map { "it is not longer than \(Literal.inMessage(.metres($0)))" }
                                ?? "the nearest point is its start")
                throw HikeErrors.range(
                    "hike \(hike.hike.displayName) cannot be split there: \(why)", at: .parameter("hike"),
                    fix: hike.hike.daysFix([moment].compactMap(\.self)))
            }
            return try Self.store(parts, of: hike.hike, library, context)
        }.deciding("hike split Spike --gap 2min", after: HikeExample.spike)
    }

    private static func step(
        _ last: GPXPoint, _ point: GPXPoint, _ along: Double, isCut: Bool
    ) -> TraceStep {
        let pause = last.time.flatMap { start in point.time.map { $0.seconds(since: start) } }
        return .candidate(
            [
                ("at", .coordinate(point.coordinate.withoutAltitude)),
                ("time", Value(point.time, Value.date)), ("along", .quantity(.metres(along))),
                ("pause", Value(pause) { .quantity(.seconds($0)) }),
            ], isCut ? .kept : .refused, why: isCut ? "a new part begins here" : "the part continues")
    }

    private static func store(
        _ parts: [Recording], of hike: Hike, _ library: ActiveStore<HikeStore>, _ context: Context
    ) throws -> Value {
        let store = try library.writableStore(context)
        let editing = HikeEditing(library: library, context: context)
        var parts = parts
        let summary = "split into \(parts.count) hikes"
        for index in parts.indices { parts[index].edits.append(.init(summary, at: context.clock.now)) }
        var others: [(hike: Hike, recording: Recording)] = []
        for (index, part) in parts.enumerated().dropFirst() {
            var other = try editing.measured(hike, part)
            other = Hike(
                id: try store.freshID(context.random.uuid), name: "\(hike.displayName) (\(index + 1))",
                like: other)
            others.append((other, part))
        }
        let first = try editing.measured(hike, parts[0])
        try context.checkCancelled()
        try store.insertAll(others)
        guard let rows = try store.replace(hike, with: first, recording: parts[0]) else {
            _ = try store.remove(others.map(\.hike))
            throw HikeErrors.changedSince(
                "hike \(hike.displayName) was changed or deleted in the meantime", at: .parameter("hike"))
        }
        let added = others.map(\.hike)
        store.undo(in: context).replaced("split \(hike.title)", by: [first] + added, rows)
        return .table(
            columns: columns,
            cells: zip([first] + added, parts).map { hike, part in
                [
                    .text(hike.displayName), hike.areTimesKnown ? .date(hike.startTime) : .nothing,
                    .quantity(.metres(hike.distance)), .integer(part.line.pointCount),
                ]
            })
    }
}

/// `hike merge`
struct MergeHikes: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike merge" }

    var command: Command {
        Command(
            name, "merge hikes into the first of them",
            details: """
                The segments are ordered by time and not joined. The first hike gets all of them; the others are \
                deleted unless --keep is given. `undo` reverts it.
                """,
            HikeOptions.hike,
            .rest("others", .reference("hike", to: HikeObject.self), "hikes to add to it"),
            .flag("keep", "keep the other hikes too"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "two parts", "hike merge Walk 'Walk (2)' | get change",
                    after: HikeExample.setup + ["hike split Walk --gap 1min"], gives: "merged 2 hikes")
            ],
            searchTerms: [
                "glue recordings", "one recording of two", "recorded in two parts",
                "join two gpx files", "one track out of several", "put tracks together", "join", "combine",
                "append", "join tracks", "combine recordings", "two files of one walk", "second file",
                "second recording", "made two files",
            ]
        ) { context, hike, others, keep in
            let ids = Set(others.map(\.hike.id))
            guard !others.isEmpty, ids.count == others.count, !ids.contains(hike.hike.id) else {
                throw HikeErrors.range("use two or more different hikes", at: .parameter("others"))
            }
            let store = try library.writableStore(context)
            let editing = HikeEditing(library: library, context: context)
            let recordings = try ([hike] + others).map { try $0.checkedRecording() }
            let names = ([hike] + others).map(\.hike.displayName)
            let bare = recordings.indices.filter { recordings[$0].line.pointCount == 0 }
            if let first = bare.first, bare.count < recordings.count {
                throw HikeErrors.range(
                    "\(names[first]) has no positions, the others have: its figures would be lost",
                    at: .parameter("others"), fix: "merge hikes with positions; keep the other beside them")
            }
            if let (one, other) = RecordingEdits.overlapping(recordings) {
                throw HikeErrors.overlap(
                    "\(names[one]) and \(names[other]) were recorded at the same time: their sum is no walk",
                    at: .parameter("others"),
                    fix: "keep one of them: hike delete \(Literal.text(names[other]))")
            }
            var result = RecordingEdits.merged(recordings)
            result.recording.edits.append(.init(result.summary, at: context.clock.now))
            let after = try editing.measured(hike.hike, result.recording)
            var removed: [StoredRow] = []
            if !keep {
                guard case .removed(let rows) = try store.remove(others.map(\.hike)) else {
                    throw HikeErrors.changedSince(
                        "a hike was deleted in the meantime", at: .parameter("others"))
                }
                removed = rows
            }
            guard let rows = try store.replace(hike.hike, with: after, recording: result.recording) else {
                _ = try store.restore(removed)
                throw HikeErrors.changedSince(
                    "hike \(hike.hike.displayName) was changed in the meantime", at: .parameter("hike"))
            }
            store.undo(in: context).replaced("merged \(after.title)", by: [after], rows + removed)
            return .record(
                Record([
                    ("hike", .text(after.displayName)), ("change", .text(result.summary)),
                    ("points", .integer(result.recording.line.pointCount)),
                    ("segments", .integer(result.recording.line.segments.count)),
                    ("distance", .quantity(.metres(after.distance))),
                ]))
        }
    }
}
