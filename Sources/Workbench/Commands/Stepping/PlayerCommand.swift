import Core
import Foundation
import Pages
import Pictures
import PluginKit

/// `player --out FILE [PIPELINE]`
struct PlayerCommand: CommandProvider {
    var name: String { "player" }

    var command: Command {
        Command(
            name, "write a trace as a page that replays its steps",
            details: """
                An .html file needs no server and no network: it plays, steps both ways, jumps to the next step of a kind, and \
                shows the picture, the values, the heap and the reason of each step. With a pipeline, its trace plays beside \
                the one in the pipe, and the first difference is marked. An .svg or .png file plays the pictures alone, for \
                slides. Options come before the pipeline. Without a trace in the pipe the pipeline plays alone: player --out x.html \
                route plan …
                """,
            .requiredOption("out", .outputFile, "file to write: .html, .svg or .png"),
            .option("title", .text, "title of the page"),
            .options("on", .field, "compare only the kind and this value; repeatable"),
            .option("pace", .number(0.02...10), default: "0.5", "seconds a step of an .svg or .png"),
            .flag("force", "overwrite an existing file"),
            .optional("pipeline", .pipeline, "pipeline to play beside the trace"),
            input: .optional(.any), output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "a trace is required", "expect-error E-STEP-EMPTY [1 2] | player --out x.html",
                    gives: "the rows are not steps of a trace")
            ], searchTerms: ["animation", "html", "slides", "teach", "gif", "apng"]
        ) { input, context, out, title, on, pace, force, pipeline in
            try StagedFile.checkFree(out, force: force, parameter: "out")
            var all = try Self.given(input, context).map { [$0] } ?? []
            if let pipeline {
                let collector = TraceCollector(
                    limit: max(all.first?.walk.steps.count ?? 0, TraceSettings.limit))
                try await pipeline.run(tracing: collector).runThrough()
                let steps = collector.collected.steps
                guard !steps.isEmpty else { throw StepErrors.empty("the pipeline made no decisions") }
                all.append(RecordedSteps(steps, text: pipeline.text, collector: collector))
            }
            guard !all.isEmpty else {
                throw StepErrors.empty("there is no trace to play", fix: "player --out x.html route plan …")
            }
            let units: ScaleUnits = context.environment.units == .imperial ? .imperial : .metric
            var played: [PlayedTrace] = []
            for steps in all {
                let name = steps.walk.text.isEmpty ? "trace" : steps.walk.text
                let (trace, undrawn) = try steps.played(title: name, units: units, on: PlayedBases(context)) {
                    try context.checkCancelled()
                }
                if undrawn > 0 {
                    context.log.notice(
                        "player: the last \(undrawn) steps of `\(name)` have no picture in the file")
                }
                played.append(trace)
            }
            let writer = PlayerFile(
                traces: played, title: title ?? played.map(\.text).joined(separator: " and "), fields: on,
                pace: pace)
            try OutputFile.write(try writer.data(for: out), to: out, force: force)
            let steps = played.map { "\($0.steps.count)" }.joined(separator: " and ")
            return .text("\(steps) steps written to \(out.lastPathComponent)" + writer.difference)
        }
    }
}

extension PlayerCommand {
    /// The trace in the pipe, or the steps recorded so far if the player is part of the traced pipeline; `nil`
    /// without input.
    private static func given(_ input: Value, _ context: Context) throws -> RecordedSteps? {
        if let tracing = context.tracing {
            try input.runThrough()
            let steps = tracing.collected.steps
            guard !steps.isEmpty else { throw StepErrors.empty("the pipeline made no decisions") }
            return RecordedSteps(steps, text: "trace", collector: tracing)
        }
        if case .nothing = input { return nil }
        let given = RecordedSteps(rows: try Rows(input, for: "player").collect())
        guard !given.walk.steps.isEmpty else { throw StepErrors.empty("the rows are not steps of a trace") }
        return given
    }
}

/// The file of a player, by its extension.
private struct PlayerFile {
    let traces: [PlayedTrace]
    let title: String
    let fields: [String]
    let pace: Double

    private var differs: Int? {
        traces.count > 1 ? traces[0].firstDifference(from: traces[1], on: fields) : nil
    }

    /// A sentence on where two traces differ.
    var difference: String {
        guard traces.count > 1 else { return "" }
        return differs.map { "; they differ first at step \($0 + 1)" } ?? "; they are identical"
    }

    func data(for url: URL) throws -> Data {
        switch url.pathExtension.lowercased() {
        case "html", "htm": return Data(PlayerPage.page(title: title, traces: traces, differs: differs).utf8)
        case "svg": return Data(try svg().utf8)
        case "png", "apng": return try png()
        default:
            throw PictureErrors.format(
                "\(url.lastPathComponent) is neither .html nor .svg nor .png", at: .parameter("out"),
                fix: "name it \(url.deletingPathExtension().lastPathComponent).html")
        }
    }

    /// The pictures of the only trace.
    private func scene() throws -> PlayedTrace.Scene {
        guard traces.count == 1 else {
            throw CommonErrors.argumentRange(
                "an animated picture shows one trace", at: .parameter("out"),
                fix: "write a page: --out x.html")
        }
        guard let scene = traces[0].scenes.first?.scene else {
            throw StepErrors.picture("the steps of `\(traces[0].text)` have no pictures")
        }
        return scene
    }

    private func svg() throws -> String {
        switch try scene() {
        case .film(let film):
            try check(film.frames.count, most: AnimatedSVG.steps)
            return AnimatedSVG.render(film, secondsPerStep: pace)
        case .pictures(let pictures):
            try check(pictures.count, most: AnimatedSVG.steps)
            return AnimatedSVG.render(pictures.compactMap { $0 }, secondsPerStep: pace)
        }
    }

    private func png() throws -> Data {
        try NativeLibrary.cairo.require()
        let scenes: [Scene]
        switch try scene() {
        case .film(let film):
            try check(film.frames.count, most: PlayerSettings.frames)
            scenes = try film.scenes(film.frames.indices) { try Interruption.check() }
        case .pictures(let pictures):
            try check(pictures.count, most: PlayerSettings.frames)
            scenes = pictures.compactMap { $0 }
        }
        let size = SceneSize(
            width: scenes.map(\.size.width).max() ?? 0, height: scenes.map(\.size.height).max() ?? 0)
        let frames = try scenes.enumerated().map { index, scene in
            try Interruption.check()
            var sized = scene
            sized.size = size
            // Frames are of one kind: none is transparent.
            sized.background = sized.background ?? .white
            let isLast = index == scenes.count - 1
            return (
                png: try ScenePNG.render(sized, scale: 1),
                hundredths: Int((pace * 100 * (isLast ? 3 : 1)).rounded())
            )
        }
        return try AnimatedPNG.join(frames)
    }

    private func check(_ count: Int, most: Int) throws {
        guard count > most else { return }
        throw CommonErrors.argumentRange(
            "an animated picture has at most \(most) steps, the trace has \(count)", at: .parameter("out"),
            fix:
                "choose steps: trace … | where kind == settle | player --out x.svg; or write a page: --out x.html"
        )
    }
}
