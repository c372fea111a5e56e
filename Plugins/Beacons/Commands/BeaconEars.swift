import Foundation
import Geodesy
import PluginKit

/// `beacon ears`
struct BeaconEars: LegacyCommand {
    private static let listener = ListenerOptions()
    private static let head = HeadOptions()
    private static let bare = Parameter.flag(
        "bare", "what the head alone does: what is behind is not made duller")
    private static let columns = ["beacon", "relative", "delay", "left", "right", "brightness", "behind"]

    let spec = CommandSpec(
        "beacon ears", "measures what reaches the ears from each beacon: delay, levels, timbre",
        details: """
            Delay is the time by which the left ear hears later, so positive for what is on the right. Levels are in \
            decibels, of a click of level 1; brightness is the mean frequency of its energy. The way of rendering is told \
            below the rows. With `step` or `trace` one sees how a bearing becomes a position, a delay and a level.
            """,
        parameters: listener.specs + head.specs + [FadeOption.fade.spec, bare.spec], output: .rows(columns),
        effect: .reads,
        examples: [
            .init(
                "to the right", "beacon ears --at 0.5,0.5 --heading 0deg --simple | select beacon delay",
                after: ["beacon add home 0.5,0.51"],
                gives: """
                    beacon   delay
                    north      0ms
                    home    0.66ms
                    """)
        ], searchTerms: ["itd", "ild", "hrtf", "interaural"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let path = try Self.listener.path(arguments, context)
        let head = try Self.head.head(arguments)
        let isBare = try arguments[Self.bare]
        let placing = try FadeOption.placing(arguments)
        let pose = path.pose(at: 0)
        let lineup = Lineup(try BeaconStore(context).load(), from: pose.place)
        var log = TraceLog(limit: context.tracing?.limit ?? 0)
        var rows: [Value] = []
        for source in lineup.sources {
            try context.checkCancelled()
            let placement = placing.traced(
                source, from: pose, wasThere: false, tracing: context.tracing != nil, log: &log)
            let ears =
                placement.hasArrived
                ? EarResponses.everywhere
                : isBare
                    ? head.responses(relative: placement.relative) : head.heard(relative: placement.relative)
            let measure = EarMeasure(ears)
            let fade = 20 * log10(placement.gain)
            let cells = [
                Value.text(source.name), .quantity(.direction(placement.relative)), Self.delay(measure.delay),
                Self.level(measure.left + fade), Self.level(measure.right + fade),
                .quantity(Quantity(measure.brightness.rounded(), .frequency, digits: 3)),
                .boolean(placement.isBehind),
            ]
            if context.tracing != nil { Self.record(source, cells, head, &log) }
            rows.append(.record(Record(keys: Self.columns, values: cells)))
        }
        context.tracing?.keep(log)
        let notes = ["heard by: \(head.description)"] + (lineup.notice.map { [$0] } ?? [])
        return .table(columns: Self.columns, rows: rows, note: notes.joined(separator: "\n"))
    }

    private static func record(
        _ source: Source, _ cells: [Value], _ head: any HeadModel, _ log: inout TraceLog
    ) {
        log.record(
            TraceStep(
                "delay", [("beacon", .text(source.name)), ("delay", cells[2])],
                why: "where the responses of both ears fit best: \(head.description)"))
        log.record(
            TraceStep(
                "level", [("beacon", .text(source.name)), ("left", cells[3]), ("right", cells[4])],
                why: "the ear that is turned away hears less"))
    }

    private static func delay(_ seconds: Double) -> Value {
        // To the microsecond; no minus before zero.
        let rounded = (seconds * 1e6).rounded() / 1e6 + 0
        return .quantity(Quantity(rounded, .duration, unit: MeasureUnit.named("ms"), digits: 3))
    }

    private static func level(_ decibels: Double) -> Value { .number((decibels * 10).rounded() / 10 + 0) }
}
