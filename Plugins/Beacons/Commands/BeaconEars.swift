import Foundation
import Geodesy
import PluginKit

/// `beacon ears`
struct BeaconEars: CommandProvider {
    private static let columns = ["beacon", "relative", "delay", "left", "right", "brightness", "behind"]

    var name: String { "beacon ears" }

    var command: Command {
        Command(
            name, "measure delay, level and timbre at each ear",
            details: """
                delay is how much later the left ear hears, so it is positive for a beacon on the right. left and right are \
                levels in decibels, of a click of level 1 through the head alone: the level lost in the filter for beacons behind is \
                compensated. brightness is the mean frequency of the click's energy. The note below the \
                rows names the rendering method. `step` and `trace` show how a bearing becomes a position, a delay and a level.
                """,
            ListenerOptions.parameter,
            HeadOptions.parameter,
            BeaconOptions.placing,
            .flag("bare", "effect of the head alone: beacons behind are not made duller"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "to the right",
                    "beacon ears --place 0.5,0.5 --heading 0deg --simple | select beacon delay",
                    after: ["beacon add home 0.5,0.51"],
                    gives: """
                        beacon   delay
                        north      0ms
                        home    0.66ms
                        heard by: time and level difference
                        """)
            ], searchTerms: ["itd", "ild", "hrtf", "interaural"]
        ) { context, listener, head, placing, isBare in
            let path = try listener.path(context)
            let head = try head.model()
            let pose = path.pose(at: 0)
            let lineup = AudibleSources(try BeaconStore(context).load(), from: pose.coordinate)
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            if context.tracing != nil { log.record(HeardSteps.started(pose, lineup)) }
            var rows: [Value] = []
            for source in lineup.sources {
                try context.checkCancelled()
                let placement = placing.traced(
                    source, from: pose, wasThere: false, tracing: context.tracing != nil, log: &log)
                let ears =
                    placement.hasArrived
                    ? EarResponses.everywhere
                    : isBare
                        ? head.responses(relative: placement.relative)
                        : head.heard(relative: placement.relative)
                let measure = EarMeasure(ears)
                let bare =
                    placement.hasArrived
                    ? measure : EarMeasure(head.responses(relative: placement.relative))
                let fade = 20 * log10(placement.gain)
                let cells = [
                    Value.text(source.name), .quantity(.direction(placement.relative)),
                    Self.delay(measure.delay),
                    Self.level(bare.left + fade), Self.level(bare.right + fade),
                    .quantity(Quantity(measure.brightness.rounded(), .frequency, digits: 3)),
                    .boolean(placement.isBehind),
                ]
                if context.tracing != nil { Self.record(source, cells, head, &log) }
                rows.append(.record(Record(keys: Self.columns, values: cells)))
            }
            if context.tracing != nil { log.record(HeardSteps.ended(rows.count)) }
            context.tracing?.keep(log, picture: HeardPicturing(pose: pose, sources: lineup.sources))
            let notes = ["heard by: \(head.description)"] + (lineup.notice.map { [$0] } ?? [])
            return .table(columns: Self.columns, rows: rows, note: notes.joined(separator: "\n"))
        }.deciding("beacon ears --place 0.5,0.5 --heading 0deg --simple", after: ["beacon add home 0.5,0.51"])
    }

    private static func record(
        _ source: Source, _ cells: [Value], _ head: any HeadModel, _ log: inout TraceLog
    ) {
        log.record(
            TraceStep(
                "delay", [("beacon", .text(source.name)), ("delay", cells[2])],
                why: "best fit of the responses of both ears: \(head.description)"))
        log.record(
            TraceStep(
                "level", [("beacon", .text(source.name)), ("left", cells[3]), ("right", cells[4])],
                why: "the ear facing away hears less"))
    }

    private static func delay(_ seconds: Double) -> Value {
        // To the microsecond, without negative zero.
        let rounded = (seconds * 1e6).rounded() / 1e6 + 0
        return .quantity(Quantity(rounded, .duration, unit: MeasureUnit.named("ms"), digits: 3))
    }

    private static func level(_ decibels: Double) -> Value { .number((decibels * 10).rounded() / 10 + 0) }
}
