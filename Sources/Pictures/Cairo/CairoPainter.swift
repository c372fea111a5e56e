import CCairo

/// Draws elements on a cairo context; the same code for PNG and PDF.
struct CairoPainter {
    /// Line width in points below which joins and ends are visible only as pixel coverage.
    private static let thin = 0.9

    /// The cairo context, which outlives the painter.
    let canvas: OpaquePointer
    /// Whether each text is a paragraph of the document's structure, which programs that read aloud follow.
    var isTagged = false

    func draw(_ scene: Scene) {
        paintBackground(of: scene)
        draw(scene.ordered)
    }

    /// Paints the whole page. Cairo then forgets what a page has had so far, the beginnings of tags too.
    func paintBackground(of scene: Scene) {
        guard let background = scene.background else { return }
        setColor(background, opacity: 1)
        cairo_paint(canvas)
    }

    /// Draws what lies on a page, and nothing beside it: without a clip an element that covers the whole page, such as the ground of
    /// a map, would make cairo forget the beginnings of tags, as the background does.
    func drawWithin(_ page: Scene) {
        cairo_save(canvas)
        cairo_rectangle(canvas, 0, 0, page.size.width, page.size.height)
        cairo_clip(canvas)
        draw(page.ordered)
        cairo_restore(canvas)
    }

    /// Draws elements in order. Consecutive lines of the same style are drawn as one path, because there are
    /// thousands of contours.
    func draw(_ elements: [SceneElement]) {
        var pending: Stroke?
        for element in elements {
            guard case .polyline(let points, let stroke) = element.shape, stroke.opacity == 1 else {
                if let stroke = pending { paint(fill: nil, stroke: stroke) }
                pending = nil
                draw(element.shape)
                continue
            }
            if let last = pending, last != stroke { paint(fill: nil, stroke: last) }
            pending = stroke
            for run in Clipping.finiteRuns(points) { trace(run) }
        }
        if let pending { paint(fill: nil, stroke: pending) }
    }

    func draw(_ shape: SceneShape) {
        switch shape {
        case .polyline(let points, let stroke):
            for run in Clipping.finiteRuns(points) { trace(run) }
            paint(fill: nil, stroke: stroke)
        case .polygon(let rings, let fill, let stroke):
            for ring in rings {
                trace(ring.filter(\.isFinite))
                cairo_close_path(canvas)
            }
            paint(fill: fill, stroke: stroke)
        case .circle(let center, let radius, let fill, let stroke):
            guard center.isFinite, radius.isFinite, radius > 0 else { return }
            cairo_new_sub_path(canvas)
            cairo_arc(canvas, center.x, center.y, radius, 0, 2 * Double.pi)
            cairo_close_path(canvas)
            paint(fill: fill, stroke: stroke)
        case .path(let path, let fill, let stroke):
            guard path.isFinite else { return }
            trace(path)
            paint(fill: fill, stroke: stroke)
        case .text(let shape): write(shape)
        case .marker(let marker):
            guard marker.at.isFinite else { return }
            for part in marker.parts { draw(part) }
        case .image(let bytes, let rect): CairoImage.draw(bytes, in: rect, painter: self)
        case .raster(let raster, let rect): CairoImage.draw(raster, in: rect, painter: self)
        case .symbol(_, let drawing): group(drawing, nil)
        case .group(let elements, let clip): group(elements, clip)
        }
    }

    private func group(_ elements: [SceneElement], _ clip: SceneRect?) {
        cairo_save(canvas)
        if let clip {
            cairo_rectangle(canvas, clip.x, clip.y, clip.width, clip.height)
            cairo_clip(canvas)
        }
        draw(elements.inDrawingOrder)
        cairo_restore(canvas)
    }

    private func trace(_ points: [ScenePoint]) {
        guard let first = points.first else { return }
        cairo_move_to(canvas, first.x, first.y)
        for point in points.dropFirst() { cairo_line_to(canvas, point.x, point.y) }
    }

    private func trace(_ path: PathData) {
        for step in path.steps {
            switch step {
            case .move(let to): cairo_move_to(canvas, to.x, to.y)
            case .line(let to): cairo_line_to(canvas, to.x, to.y)
            case .curve(let a, let b, let to): cairo_curve_to(canvas, a.x, a.y, b.x, b.y, to.x, to.y)
            case .close: cairo_close_path(canvas)
            }
        }
    }

    /// Fills and strokes the path. The antialiasing is cairo's default one: with the fast one, cairo 1.16 writes beyond its
    /// memory where many pieces of a path lie in one row of pixels, as those of a dashed line do.
    private func paint(fill: Fill?, stroke: Stroke?) {
        if let fill {
            cairo_set_fill_rule(canvas, CAIRO_FILL_RULE_EVEN_ODD)
            setColor(fill.color, opacity: fill.opacity)
            cairo_fill_preserve(canvas)
        }
        if let stroke, stroke.width > 0 {
            setColor(stroke.color, opacity: stroke.opacity)
            cairo_set_line_width(canvas, stroke.width)
            let isThin = stroke.width < Self.thin
            cairo_set_line_join(canvas, isThin ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_cap(
                canvas, isThin || !stroke.dash.isEmpty ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND)
            let dash = stroke.usableDash
            cairo_set_dash(canvas, dash, Int32(dash.count), 0)
            cairo_stroke_preserve(canvas)
        }
        cairo_new_path(canvas)
    }

    private func write(_ shape: TextShape) {
        guard shape.at.isFinite, shape.size > 0, let text = CairoText(shape, on: canvas) else { return }
        cairo_save(canvas)
        cairo_translate(canvas, shape.at.x, shape.at.y)
        if shape.rotation != 0 { cairo_rotate(canvas, shape.rotation * .pi / 180) }
        let shift = shape.anchor == .start ? 0 : shape.anchor == .middle ? text.width / 2 : text.width
        cairo_move_to(canvas, -shift, -text.ascent)
        if let halo = shape.halo {
            pango_cairo_layout_path(canvas, text.layout)
            paint(fill: nil, stroke: Stroke(halo, width: shape.haloWidth))
            cairo_move_to(canvas, -shift, -text.ascent)
        }
        setColor(shape.color, opacity: 1)
        if isTagged { cairo_tag_begin(canvas, PDFStructure.paragraph, nil) }
        pango_cairo_show_layout(canvas, text.layout)
        if isTagged { cairo_tag_end(canvas, PDFStructure.paragraph) }
        cairo_new_path(canvas)
        cairo_restore(canvas)
    }

    func setColor(_ color: Color, opacity: Double) {
        cairo_set_source_rgba(
            canvas, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, opacity)
    }
}

extension Stroke {
    /// The dash if it can be drawn (no negative length, not all zero), else none.
    var usableDash: [Double] {
        let isUsable = dash.allSatisfy { $0.isFinite && $0 >= 0 } && dash.reduce(0, +) > 0
        return isUsable ? dash : []
    }
}
