import Foundation
import Pictures
import PluginKit

/// `beacon compass`
struct BeaconCompass: CommandProvider {
    /// Pixels of a PNG per point.
    private static let pixelsPerPoint = 2.0

    var name: String { "beacon compass" }

    var command: Command {
        Command(
            name, "draw the beacons around the listener",
            details: """
                The listener's heading, from true north, is on top; N, E, S and W turn with it. A filled circle is heard unchanged, a \
                hollow one is behind and sounds duller, a ring in the middle is a reached beacon. All beacons are \
                drawn: those that are disabled are grey, those beyond the \(BeaconSettings.mostSources) that are \
                heard are marked. Beacons in nearly the same direction are drawn side by side, with a line to their \
                true direction. Colours are those on maps.
                """,
            ListenerOptions.parameter,
            ListenerOptions.after,
            .option("out", .outputFile, "SVG or PNG file to write"),
            BeaconOptions.force,
            output: .value("compass"), effect: .reads,
            examples: [
                .init(
                    "to a file", "beacon compass --place 0.5,0.5 --heading 30deg --out compass.svg",
                    after: ["beacon add home 0.5,0.51"], gives: "compass written to compass.svg")
            ], searchTerms: ["point the phone", "what is in this direction", "picture", "draw", "direction"]
        ) { context, listener, after, url, force in
            let pose = try listener.path(context).pose(at: after)
            let set = try BeaconStore(context).load()
            let lineup = AudibleSources(set, from: pose.coordinate)
            var trace = NoTrace()
            let heard = Set(lineup.sources.map(\.id))
            let items = AudibleSources.all(set).map { source in
                let placement = PlacementCalculator().placement(
                    of: source.coordinate, name: source.name, from: pose, wasThere: false, trace: &trace)
                return CompassDrawing.Item(
                    heard: HeardObject(source: source, placement: placement),
                    isEnabled: set.isEnabled(source), isHeard: heard.contains(source.id))
            }
            let drawing = CompassDrawing(heading: pose.heading, items: items, notice: lineup.notice)
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
