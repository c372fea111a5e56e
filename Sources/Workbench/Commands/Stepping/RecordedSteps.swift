import Pages
import Pictures
import PluginKit

/// Steps in the pipe: all steps of a trace or a selection, with the pictures of the whole trace.
struct RecordedSteps {
    /// The steps, each with its row.
    private let rows: [(row: TraceRow?, step: TraceStep)]

    init(rows: [Value]) {
        self.rows = rows.compactMap { value in
            guard let step = TraceRow.step(value) else { return nil }
            if case .object(let object) = value { return (object as? TraceRow, step) }
            return (nil, step)
        }
    }

    init(_ steps: [TraceStep], text: String, collector: TraceCollector) {
        let known = TraceRow.names(of: steps)
        let origin = TraceOrigin(text: text, collector: collector)
        rows = steps.enumerated().map { index, step in
            (TraceRow(number: index + 1, step: step, known: known, origin: origin), step)
        }
    }

    private var origin: TraceOrigin? { rows.lazy.compactMap(\.row?.origin).first }

    /// The steps for the stepper.
    var walk: Stepper.Walk {
        let rows = rows
        return Stepper.Walk(text: origin?.text ?? "", steps: rows.map(\.step)) { index in
            guard rows.indices.contains(index), let row = rows[index].row else { return nil }
            return row.origin?.collector.picture(at: row.number - 1)
        }
    }

    /// The steps for a player. Algorithms that redraw each step get pictures for a limited number of steps;
    /// the result states how many steps have none.
    func played(
        title: String, units: ScaleUnits, on bases: PlayedBases, check: () throws -> Void
    ) throws -> (trace: PlayedTrace, undrawn: Int) {
        let steps = rows.enumerated().map { index, entry in
            PlayedTrace.Step(
                number: entry.row?.number ?? index + 1, kind: entry.step.kind,
                values: zip(entry.step.values.keys, entry.step.values.values).map {
                    ($0, ValueText.inline($1))
                }, why: entry.step.why)
        }
        let (scenes, undrawn) = try self.scenes(units, bases, check)
        return (PlayedTrace(text: title, steps: steps, scenes: scenes), undrawn)
    }

    /// Whether the rows are one whole trace, so that marks can be kept from step to step.
    private var isWhole: Bool {
        guard let origin else { return false }
        let count = origin.collector.collected.steps.count
        return rows.count == count && rows.enumerated().allSatisfy { $1.row?.number == $0 + 1 }
    }

    private func scenes(
        _ units: ScaleUnits, _ bases: PlayedBases, _ check: () throws -> Void
    ) throws -> ([(first: Int, scene: PlayedTrace.Scene)], Int) {
        guard let origin else { return ([], 0) }
        guard isWhole else {
            let (pictures, undrawn) = try drawn(rows.indices, units, bases.each, check)
            return ([(0, .pictures(pictures))], undrawn)
        }
        let all = origin.collector.collected.steps
        var scenes: [(first: Int, scene: PlayedTrace.Scene)] = []
        var undrawn = 0
        for section in origin.collector.sections {
            guard let picturing = section.picture else { continue }
            let picture = picturing.picture(after: all[section.steps])
            if let stepped = picture as? any SteppedPicture,
                let film = try Film(of: stepped, on: bases.shared, check: check)
            {
                scenes.append((section.steps.lowerBound, .film(film)))
            } else {
                let (pictures, left) = try drawn(section.steps, units, bases.each, check)
                undrawn += left
                scenes.append((section.steps.lowerBound, .pictures(pictures)))
            }
        }
        return (scenes, undrawn)
    }

    /// The pictures of steps that are redrawn completely.
    private func drawn(
        _ steps: Range<Int>, _ units: ScaleUnits, _ base: MapBase.Choosing, _ check: () throws -> Void
    ) throws -> ([Scene?], Int) {
        var pictures: [Scene?] = []
        for step in steps.prefix(PlayerSettings.wholePictures) {
            try check()
            let row = rows[step].row
            let picture = row?.origin?.collector.picture(at: (row?.number ?? 1) - 1)
            pictures.append(try picture.flatMap { try Self.scene(of: $0, units, base) })
        }
        return (pictures, steps.count - pictures.count)
    }

    private static func scene(
        of picture: any DomainObject, _ units: ScaleUnits, _ base: MapBase.Choosing
    ) throws -> Scene? {
        if let map = picture as? any MapPicture {
            return try map.mapScene(units: units, on: base(map.mapView, map.mapFeatures))
        }
        if let chart = picture as? any ChartDrawable { return chart.chart(units: units).scene() }
        if let board = picture as? StepBoard { return board.board.scene() }
        guard let map = try MapFeatures.fitted(to: picture, units) else { return nil }
        return try map.scene(on: base(map.view, map.features))
    }
}

/// The base map of a player's pictures.
struct PlayedBases {
    /// For a picture that all steps share.
    let shared: MapBase.Choosing
    /// For pictures redrawn at each step: repeating a detailed map would make the file large.
    let each: MapBase.Choosing

    init(_ context: Context) {
        shared = MapBase.usual(context)
        each = MapBase.usual(context, ofMany: true)
    }
}

/// Constants of players.
enum PlayerSettings {
    /// Steps a second of an animated picture, unless another rate is given.
    static let rate = 2.0
    /// Maximum number of pictures of algorithms that redraw each step; limits the file's size.
    static let wholePictures = 400
    /// Maximum number of frames of an animated PNG.
    static let frames = 300
}
