import Core
import Foundation
import Pages
import Pictures
import PluginKit

/// The format `player`: a trace as a page or picture that replays its steps.
enum PlayerFormat {
    static let format = ExportFormat(
        "player", "a trace as a page or picture that replays its steps",
        details: """
            An .html file needs no server and no network: it plays, steps both ways, jumps to the next step of a kind, and \
            shows the picture, the values, the heap and the reason of each step. With --beside another trace plays beside it, and \
            the first difference is marked. An .svg or .png file plays the pictures alone, for slides.
            """,
        endings: ["html", "htm", "svg", "png", "apng"], isText: false,
        .option("title", .text, "title of the page"),
        .option("beside", .value, "another trace to play beside it, such as (trace route plan …)"),
        .options("on", .field, "compare only the kind and this value; repeatable"),
        .option("rate", .number(0.1...50), "steps a second of an .svg or .png; default 2"),
        examples: [
            .init(
                "a trace is required", "expect-error E-STEP-EMPTY [1 2] | export x.svg",
                gives: "the rows are not steps of a trace")
        ], recognizes: isTrace, write: write)

    /// Whether a value is a trace, or the call is part of a traced pipeline.
    @Sendable private static func isTrace(_ input: Value, _ context: Context) -> Bool {
        if let tracing = context.tracing, !tracing.collected.steps.isEmpty { return true }
        guard let rows = input.asRows else { return false }
        if rows.columns == TraceRow.columns { return true }
        guard let first = try? rows.makeIterator().next() else { return false }
        return TraceRow.step(first) != nil
    }

    @Sendable private static func write(
        _ request: ExportRequest, _ context: Context, title: String?, beside: Value?, on: [String],
        rate: Double?
    ) throws -> Value {
        guard let target = request.target else {
            throw ExportCommandErrors.target("player requires a file", fix: "export FILE.html")
        }
        var all = [try given(request.input, context)]
        if let beside {
            let other = RecordedSteps(rows: try beside.asRows?.collect() ?? [])
            guard !other.walk.steps.isEmpty else {
                throw StepErrors.empty(
                    "the value of --beside is not a trace", at: .parameter("beside"),
                    fix: "--beside (trace route plan …)")
            }
            all.append(other)
        }
        let units = ScaleUnits(context.environment.units)
        var played: [PlayedTrace] = []
        for steps in all {
            let name = steps.walk.text.isEmpty ? "trace" : steps.walk.text
            let (trace, undrawn) = try steps.played(title: name, units: units, on: PlayedBases(context)) {
                try context.checkCancelled()
            }
            if undrawn > 0 {
                context.log.notice(
                    "export: the last \(undrawn) steps of `\(name)` have no picture in the file")
            }
            played.append(trace)
        }
        let writer = PlayerFile(
            traces: played, title: title ?? played.map(\.text).joined(separator: " and "), fields: on,
            secondsPerStep: 1 / (rate ?? PlayerSettings.rate))
        try OutputFile.write(
            try writer.data(for: target), to: target, force: request.force, parameter: "path")
        let steps = played.map { "\($0.steps.count)" }.joined(separator: " and ")
        return .text("\(steps) steps written to \(target.lastPathComponent)" + writer.difference)
    }

    /// The trace in the pipe, or the steps recorded so far if the export is part of the traced pipeline.
    private static func given(_ input: Value, _ context: Context) throws -> RecordedSteps {
        if let tracing = context.tracing {
            try input.runThrough()
            let steps = tracing.collected.steps
            guard !steps.isEmpty else { throw StepErrors.empty("the pipeline made no decisions") }
            return RecordedSteps(steps, text: "trace", collector: tracing)
        }
        if case .nothing = input {
            throw StepErrors.empty("there is no trace to play", fix: "trace route plan … | export x.html")
        }
        let given = RecordedSteps(rows: try Rows(input, for: "export").collect())
        guard !given.walk.steps.isEmpty else { throw StepErrors.empty("the rows are not steps of a trace") }
        return given
    }
}

/// The file of a player, by its extension.
private struct PlayerFile {
    let traces: [PlayedTrace]
    let title: String
    let fields: [String]
    let secondsPerStep: Double

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
                "\(url.lastPathComponent) is neither .html nor .svg nor .png", at: .parameter("path"),
                fix: "name it \(url.deletingPathExtension().lastPathComponent).html")
        }
    }

    /// The pictures of the only trace.
    private func scene() throws -> PlayedTrace.Scene {
        guard traces.count == 1 else {
            throw CommonErrors.argumentRange(
                "an animated picture shows one trace", at: .parameter("path"),
                fix: "write a page: export x.html")
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
            return AnimatedSVG.render(film, secondsPerStep: secondsPerStep)
        case .pictures(let pictures):
            try check(pictures.count, most: AnimatedSVG.steps)
            return AnimatedSVG.render(pictures.compactMap { $0 }, secondsPerStep: secondsPerStep)
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
                hundredths: Int((secondsPerStep * 100 * (isLast ? 3 : 1)).rounded())
            )
        }
        return try AnimatedPNG.join(frames)
    }

    private func check(_ count: Int, most: Int) throws {
        guard count > most else { return }
        throw CommonErrors.argumentRange(
            "an animated picture has at most \(most) steps, the trace has \(count)", at: .parameter("path"),
            fix:
                "choose steps: trace … | where kind == settle | export x.svg; or write a page: export x.html"
        )
    }
}
