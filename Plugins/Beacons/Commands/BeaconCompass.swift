import Foundation
import Pictures
import PluginKit

/// `beacon compass`
struct BeaconCompass: CommandProvider {
    /// Pixels of a PNG for one point.
    private static let pixelsPerPoint = 2.0

    var command: Command {
        Command(
            "beacon compass", "draw the beacons around the listener",
            details: """
                The listener's heading is on top; N, E, S and W turn with it. A full circle is heard unchanged, a hollow one \
                is behind and sounds duller, a ring in the middle is a beacon that is reached. Colours are those of the \
                beacons on maps.
                """,
            ListenerOptions.parameter,
            ListenerOptions.after,
            .option("out", .outputFile, "SVG or PNG file to write"),
            BeaconOptions.force,
            output: .value("compass"), effect: .reads,
            examples: [
                .init(
                    "to a file", "beacon compass --at 0.5,0.5 --heading 30deg --out compass.svg",
                    after: ["beacon add home 0.5,0.51"], gives: "compass written to compass.svg")
            ], searchTerms: ["picture", "draw", "direction"]
        ) { context, listener, after, url, force in
            let pose = try listener.path(context).pose(at: after)
            let lineup = Lineup(try BeaconStore(context).load(), from: pose.place)
            var trace = NoTrace()
            let sources = lineup.sources.map { source in
                HeardObject(
                    source: source,
                    placement: Placing().placement(
                        of: source.place, name: source.name, from: pose, wasThere: false, trace: &trace))
            }
            let drawing = CompassDrawing(heading: pose.heading, sources: sources, notice: lineup.notice)
            guard let url else { return .object(drawing) }
            try OutputFile.write(try Self.data(drawing.scene, url), to: url, force: force)
            return .text("compass written to \(url.lastPathComponent)")
        }
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
                "\(url.lastPathComponent) has neither the extension .svg nor .png", at: .parameter("out"),
                fix: "use \(url.deletingPathExtension().lastPathComponent).svg")
        }
    }
}
