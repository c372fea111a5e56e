import Core
import Foundation
import Photos

/// Draws a scene as an SVG 1.1 document.
///
/// Text stays text, in the font families of the settings. It contains no dates and no random names, so the
/// same scene produces the same bytes, and it can be embedded in a page. Names of elements become ids.
public enum SceneSVG {
    /// The document, ending in a line break.
    public static func render(_ scene: Scene) -> String { render(scene, including: "") }

    /// The same for a page with other pictures: without ids, which could clash, and without `paint-order`,
    /// which HTML supports only as a CSS property: the page's style contains `svg text[stroke] { paint-order:
    /// stroke; }`.
    public static func inline(_ scene: Scene) -> String { render(scene, including: "", isInPage: true) }

    /// Elements as a part of a document, without ids.
    public static func fragment(_ elements: [SceneElement]) -> String {
        var writer = SVGWriter(keepsIDs: false, depth: 2)
        for element in elements { writer.draw(element) }
        return writer.text
    }

    /// The points of a line as in a document.
    public static func points(_ line: [ScenePoint]) -> String {
        line.map(SVGText.point).joined(separator: " ")
    }

    /// The document with further elements at its end.
    static func render(_ scene: Scene, including more: String, isInPage: Bool = false) -> String {
        var writer = SVGWriter(keepsIDs: !isInPage, isInPage: isInPage)
        let width = SVGText.number(scene.size.width)
        let height = SVGText.number(scene.size.height)
        let families = PictureSettings.fontFamilies.map { $0.contains(" ") ? "'\($0)'" : $0 }
        writer.open(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", width), ("height", height),
                ("viewBox", "0 0 \(width) \(height)"), ("font-family", families.joined(separator: ", ")),
            ] + (scene.title.isEmpty ? [] : [("role", "img")]))
        if !scene.title.isEmpty { writer.leaf("title", [], text: scene.title) }
        if let background = scene.background {
            writer.leaf("rect", [("width", width), ("height", height), ("fill", "#" + background.hex)])
        }
        for element in scene.ordered { writer.draw(element) }
        writer.add(more)
        writer.close("svg")
        return writer.text
    }
}

/// Writes one element per line, indented by its depth.
private struct SVGWriter {
    typealias Attributes = [(String, String)]

    private(set) var text = ""
    private let keepsIDs: Bool
    private let isInPage: Bool
    private var depth: Int

    init(keepsIDs: Bool = true, isInPage: Bool = false, depth: Int = 0) {
        self.keepsIDs = keepsIDs
        self.isInPage = isInPage
        self.depth = depth
    }

    mutating func add(_ more: String) { text += more }

    mutating func open(_ name: String, _ attributes: Attributes) {
        line("<\(name)\(written(attributes))>")
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        line("</\(name)>")
    }

    mutating func leaf(_ name: String, _ attributes: Attributes, text: String? = nil) {
        guard let text else { return line("<\(name)\(written(attributes))/>") }
        line("<\(name)\(written(attributes))>\(SVGText.escaped(text))</\(name)>")
    }

    mutating func draw(_ element: SceneElement) {
        let id: Attributes = keepsIDs ? element.id.map { [("id", $0)] } ?? [] : []
        switch element.shape {
        case .polyline(let points, let stroke): polyline(points, stroke, id)
        case .polygon(let rings, let fill, let stroke): polygon(rings, fill, stroke, id)
        case .circle(let center, let radius, let fill, let stroke):
            guard center.isFinite, radius.isFinite else { return }
            let place = [
                ("cx", SVGText.number(center.x)), ("cy", SVGText.number(center.y)),
                ("r", SVGText.number(radius)),
            ]
            leaf("circle", id + place + paint(fill, stroke))
        case .path(let path, let fill, let stroke):
            guard path.isFinite else { return }
            leaf("path", id + [("d", SVGText.pathData(path))] + evenOdd(fill) + paint(fill, stroke))
        case .text(let shape): label(shape, id)
        case .marker(let marker): pin(marker, id)
        case .image(let bytes, let rect): image(bytes, rect, id)
        case .raster(let raster, let rect):
            // Without cairo there are no PNG files, and no relief in an SVG.
            guard NativeLibrary.cairo.isAvailable, let png = try? raster.surface().png() else { return }
            image([UInt8](png), rect, id)
        case .symbol(let symbol, let drawing):
            open("g", id)
            if !symbol.label.isEmpty { leaf("title", [], text: symbol.label) }
            for part in drawing.inDrawingOrder { draw(part) }
            close("g")
        case .group(let elements, let clip): group(elements, clip, id)
        }
    }

    private mutating func polyline(_ points: [ScenePoint], _ stroke: Stroke, _ id: Attributes) {
        for (index, run) in Clipping.finiteRuns(points).filter({ $0.count > 1 }).enumerated() {
            let list = run.map(SVGText.point).joined(separator: " ")
            leaf("polyline", (index == 0 ? id : []) + [("points", list)] + paint(nil, stroke))
        }
    }

    private mutating func polygon(_ rings: [[ScenePoint]], _ fill: Fill?, _ stroke: Stroke?, _ id: Attributes)
    {
        let outline = rings.map { ring in
            "M" + ring.filter(\.isFinite).map(SVGText.point).joined(separator: "L") + "Z"
        }
        leaf("path", id + [("d", outline.joined())] + evenOdd(fill) + paint(fill, stroke))
    }

    private mutating func label(_ shape: TextShape, _ id: Attributes) {
        guard shape.at.isFinite else { return }
        var attributes = id
        attributes.append(("x", SVGText.number(shape.at.x)))
        attributes.append(("y", SVGText.number(shape.at.y)))
        attributes.append(("font-size", SVGText.number(shape.size)))
        attributes.append(("fill", "#" + shape.color.hex))
        if shape.anchor != .start { attributes.append(("text-anchor", shape.anchor.rawValue)) }
        if shape.weight == .bold { attributes.append(("font-weight", "bold")) }
        if let halo = shape.halo {
            attributes.append(("stroke", "#" + halo.hex))
            attributes.append(("stroke-width", SVGText.number(shape.haloWidth)))
            attributes.append(("stroke-linejoin", "round"))
            if !isInPage { attributes.append(("paint-order", "stroke")) }
        }
        if shape.rotation != 0 {
            let place = "\(SVGText.number(shape.at.x)) \(SVGText.number(shape.at.y))"
            attributes.append(("transform", "rotate(\(SVGText.number(shape.rotation)) \(place))"))
        }
        leaf("text", attributes, text: shape.string)
    }

    private mutating func pin(_ marker: Marker, _ id: Attributes) {
        guard marker.at.isFinite else { return }
        open("g", id)
        if !marker.label.isEmpty { leaf("title", [], text: marker.label) }
        for part in marker.parts { draw(SceneElement(shape: part)) }
        close("g")
    }

    private mutating func image(_ bytes: [UInt8], _ rect: SceneRect, _ id: Attributes) {
        // Browsers do not show HEIC.
        guard let kind = PhotoKind(sniffing: bytes), kind != .heic else {
            let fill = Fill(ImagePlaceholder.color)
            return polygon([rect.corners], fill, nil, id)
        }
        let data = Data(bytes).base64EncodedString()
        leaf(
            "image",
            id + box(rect) + [
                ("preserveAspectRatio", "none"), ("href", "data:\(kind.mediaType);base64,\(data)"),
            ])
    }

    private mutating func group(_ elements: [SceneElement], _ clip: SceneRect?, _ id: Attributes) {
        // A nested viewport cuts without a clipPath, whose id could clash with another picture of the page.
        if let clip {
            let box = box(clip)
            let view = box.map(\.1).joined(separator: " ")
            open("svg", id + box + [("viewBox", view), ("overflow", "hidden")])
        } else {
            open("g", id)
        }
        for element in elements.inDrawingOrder { draw(element) }
        close(clip == nil ? "g" : "svg")
    }

    private func box(_ rect: SceneRect) -> Attributes {
        [
            ("x", SVGText.number(rect.x)), ("y", SVGText.number(rect.y)),
            ("width", SVGText.number(rect.width)),
            ("height", SVGText.number(rect.height)),
        ]
    }

    private func evenOdd(_ fill: Fill?) -> Attributes {
        fill == nil ? [] : [("fill-rule", "evenodd")]
    }

    private func paint(_ fill: Fill?, _ stroke: Stroke?) -> Attributes {
        var result: Attributes = [("fill", fill.map { "#" + $0.color.hex } ?? "none")]
        if let fill, fill.opacity < 1 { result.append(("fill-opacity", SVGText.number(fill.opacity))) }
        guard let stroke else { return result }
        result.append(("stroke", "#" + stroke.color.hex))
        result.append(("stroke-width", SVGText.number(stroke.width)))
        result.append(("stroke-linejoin", "round"))
        if stroke.dash.isEmpty {
            result.append(("stroke-linecap", "round"))
        } else {
            result.append(("stroke-dasharray", stroke.dash.map(SVGText.number).joined(separator: " ")))
        }
        if stroke.opacity < 1 { result.append(("stroke-opacity", SVGText.number(stroke.opacity))) }
        return result
    }

    private func written(_ attributes: Attributes) -> String {
        attributes.map { " \($0.0)=\"\(SVGText.escaped($0.1))\"" }.joined()
    }

    private mutating func line(_ content: String) {
        text += String(repeating: " ", count: depth * 2) + content + "\n"
    }
}
