import Cartography
import Foundation
import Pictures
import PluginKit

/// Kinds of error of drawing.
enum PictureErrors {
    static let nothing = ErrorKind(
        "E-PICTURE-NOTHING", "nothing to draw",
        explanation: """
            `map` draws coordinates, rows or objects that have one, routes and tracks. `elevation` requires heights \
            along a way. `plot` requires rows with numbers.
            """)
    static let format = ErrorKind(
        "E-PICTURE-FORMAT", "unknown picture format",
        explanation: "The file extension selects the format: .svg, .png or .pdf.")
    static let drawing = ErrorKind(
        "E-PICTURE-DRAWING", "the picture could not be drawn",
        explanation: "The message comes from the drawing library; try a smaller size.")

    static let all = [nothing, format, drawing] + MapErrors.all
}

/// A finished picture: shown in the terminal, or written to a file.
struct Drawing: SelfRendering {
    let typeName: String
    /// Pixels of a PNG for 72 points.
    var dpi = PictureCommandSettings.pixelsPerPoint * 72
    let scene: @Sendable () throws -> Scene
    /// The pages of a document; `nil` for a picture.
    var pages: (@Sendable () throws -> [Scene])?
    let text: @Sendable (TerminalStyle, Int) throws -> String
    let facts: Record

    var fieldNames: [String] { facts.keys }
    func field(_ name: String) -> Value? { facts[name] }
    var summary: String { typeName }

    func rendered(in environment: Environment) throws -> String {
        try text(
            TerminalStyle(isUnicode: environment.unicode, isColored: environment.color), environment.width)
    }

    /// How a picture of a size can be drawn; `nil` if its pixels are not too many.
    private func largest(_ size: SceneSize) -> String? {
        let side = Double(PictureSettings.maximumCanvasSide) / max(size.width, size.height, 1)
        let area = (Double(PictureSettings.maximumCanvasPixels) / max(size.width * size.height, 1))
            .squareRoot()
        let most = (min(side, area) * 72).rounded(.down) - 1
        guard most < dpi else { return nil }
        return most >= PictureCommandSettings.resolutions.lowerBound
            ? "use --dpi \(Int(most)) or less, or write a .pdf, which has no pixels" : "draw it smaller"
    }

    /// Writes the picture to the file of `--out`, else returns it for display.
    func written(to url: URL?, force: Bool, notice: () -> String? = { nil }) throws -> Value {
        guard let url else { return .object(self) }
        let data: Data
        var notices: [String?] = []
        switch url.pathExtension.lowercased() {
        case "svg": data = Data(SceneSVG.render(try scene()).utf8)
        case "png":
            try NativeLibrary.cairo.require()
            let scene = try scene()
            do {
                data = try ScenePNG.render(scene, scale: dpi / 72, isForPaper: true)
                notices.append(try MissingGlyphs.warning(of: [scene]))
            } catch {
                throw PictureErrors.drawing("\(error)", fix: largest(scene.size))
            }
        case "pdf":
            try NativeLibrary.cairo.require()
            let pages = try pages?() ?? [try scene()]
            do {
                data = try ScenePDF.render(
                    pages: pages, metadata: PDFMetadata(title: pages.first?.title ?? ""))
                notices.append(try MissingGlyphs.warning(of: pages))
            } catch {
                throw PictureErrors.drawing("\(error)")
            }
        default:
            throw PictureErrors.format(
                "\(url.lastPathComponent) is neither .svg nor .png nor .pdf", at: .parameter("out"),
                fix: "name it \(url.deletingPathExtension().lastPathComponent).svg")
        }
        try OutputFile.write(data, to: url, force: force)
        let done = "\(typeName) written to \(url.lastPathComponent)"
        return .text(([done] + ([notice()] + notices).compactMap(\.self)).joined(separator: "; "))
    }
}

/// Constants of the picture commands.
enum PictureCommandSettings {
    /// Pixels of a PNG for one point of the scene: sharp on high-resolution screens.
    static let pixelsPerPoint = 2.0
    /// Pixels of a PNG for 72 points: from screen to print resolution.
    static let resolutions = 36.0...600.0
    /// Sizes of a picture in points.
    static let sizes = 64...8192
    /// Rows of a picture in the terminal.
    static let rows = 3...200
    /// Zooms of Web Mercator.
    static let zooms = 0.0...22.0
}
