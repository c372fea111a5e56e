import Foundation
import Pictures
import PluginKit

/// `beacon compass`
struct BeaconCompass: LegacyCommand {
    private static let listener = ListenerOptions()
    private static let after = Parameter.option(
        "after", ParameterType<Double>.quantity(.duration, in: 0...BeaconSettings.longestSound),
        default: "0s",
        "so long after the beginning of a walk or turn")
    private static let out = Parameter.option(
        "out", ParameterType<URL>.outputFile, "file to write, .svg or .png")
    private static let force = Parameter.flag("force", "overwrite an existing file")
    /// Pixels of a PNG for one point.
    private static let pixelsPerPoint = 2.0

    let spec = CommandSpec(
        "beacon compass", "draws the beacons round the listener",
        details: """
            What the listener looks at is on top; N, E, S and W turn with the heading. A full circle is heard as it is, a \
            hollow one is behind and sounds duller, a ring in the middle is where one has arrived. Colours are those of the \
            beacons on maps.
            """,
        parameters: listener.specs + [after.spec, out.spec, force.spec], output: .value("compass"),
        effect: .reads,
        examples: [
            .init(
                "to a file", "beacon compass --at 0.5,0.5 --heading 30deg --out compass.svg",
                after: ["beacon add home 0.5,0.51"], gives: "compass written to compass.svg")
        ], searchTerms: ["picture", "draw", "direction"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let path = try Self.listener.path(arguments, context)
        let pose = path.pose(at: try arguments[Self.after])
        let lineup = Lineup(try BeaconStore(context).load(), from: pose.place)
        var trace = NoTrace()
        let sources = lineup.sources.map { source in
            HeardObject(
                source: source,
                placement: Placing().placement(
                    of: source.place, name: source.name, from: pose, wasThere: false, trace: &trace))
        }
        let drawing = CompassDrawing(heading: pose.heading, sources: sources, notice: lineup.notice)
        guard let url = try arguments[Self.out] else { return .object(drawing) }
        try OutputFile.write(
            try Self.data(drawing.scene, url), to: url, force: try arguments[Self.force])
        return .text("compass written to \(url.lastPathComponent)")
    }

    private static func data(_ scene: Scene, _ url: URL) throws -> Data {
        switch url.pathExtension.lowercased() {
        case "svg": return Data(SceneSVG.render(scene).utf8)
        case "png":
            try NativeLibrary.cairo.require()
            do {
                return try ScenePNG.render(scene, scale: pixelsPerPoint)
            } catch {
                throw BeaconErrors.picture("\(error)", at: .parameter("out"))
            }
        default:
            throw BeaconErrors.picture(
                "\(url.lastPathComponent) ends neither in .svg nor in .png", at: .parameter("out"),
                fix: "name it \(url.deletingPathExtension().lastPathComponent).svg")
        }
    }
}
