import Core
import Foundation
import Pictures
import PluginKit

/// A picture as a sequence for the terminal.
public struct TerminalImage {
    /// The sequence, with a line end.
    public let sequence: String

    /// Points of a picture for a column of a usual font.
    private static let pointsPerColumn = 8.0
    /// Pixels per point: sharp on high-resolution screens; sixels are not scaled by the terminal.
    private static let scale = 2.0
    /// Most characters of a sequence of kitty's protocol.
    private static let piece = 4096

    /// The picture of a result that shows nothing else; `nil` for other results, where the terminal shows none, and where none can be
    /// drawn: the text is shown then.
    public init?(of result: EntryResult, _ environment: PluginKit.Environment) {
        guard environment.pictures != .text, result.failure == nil, !result.output.isEmpty,
            let scene = Self.scene(of: result, environment), (try? NativeLibrary.cairo.require()) != nil
        else { return nil }
        self.init(scene, environment)
    }

    init?(_ scene: Scene, _ environment: PluginKit.Environment) {
        let isScaled = environment.pictures != .sixel
        guard let png = try? ScenePNG.render(scene, scale: isScaled ? Self.scale : 1) else { return nil }
        let columns = min(
            environment.width, max(1, Int((scene.size.width / Self.pointsPerColumn).rounded(.up))))
        switch environment.pictures {
        case .text: return nil
        case .kitty: sequence = Self.kitty(png.base64EncodedString(), columns)
        case .iterm:
            sequence =
                "\u{1B}]1337;File=inline=1;size=\(png.count);width=\(columns);preserveAspectRatio=1:"
                + png.base64EncodedString() + "\u{07}\n"
        case .sixel:
            guard let sixels = try? SixelEncoder.sequence(of: png) else { return nil }
            sequence = sixels + "\n"
        }
    }

    /// The picture that is all that a result shows.
    private static func scene(of result: EntryResult, _ environment: PluginKit.Environment) -> Scene? {
        guard let scene = try? RenderingSession.picture(of: result.value),
            let text = try? ValueRenderer(environment: environment).text(result.value), text == result.output
        else { return nil }
        return scene
    }

    /// A PNG in pieces; all but the last say that more follow. `q=2`: the terminal sends no answer.
    private static func kitty(_ base64: String, _ columns: Int) -> String {
        var rest = base64[...]
        var sequence = ""
        var control = "a=T,f=100,q=2,c=\(columns),"
        while !rest.isEmpty {
            let part = rest.prefix(piece)
            rest = rest.dropFirst(piece)
            sequence += "\u{1B}_G\(control)m=\(rest.isEmpty ? 0 : 1);\(part)\u{1B}\\"
            control = ""
        }
        return sequence + "\n"
    }
}
