import Pictures

/// Draws the legend entries of the features in a picture.
struct LegendDrawing {
    let frame: MapProjection
    let style: MapStyle

    /// The maximum size of a symbol in a legend.
    private static let largestSymbol = 10.0

    /// The entries of drawn features, in the order of the style.
    func entries(
        _ features: [Int: [DrawnFeature]], symbols: Set<Int>, contours: String?
    ) -> [LegendEntry] {
        var entries: [LegendEntry] = []
        for rule in style.legend {
            guard let elements = sample(of: rule.kind, features[rule.kind] ?? [], symbols) else { continue }
            entries.append(LegendEntry(elements.map { SceneElement(shape: $0) }, words: rule.words))
        }
        if let closed = closedWay(features) { entries.append(Self.entry(closed, "closed or private")) }
        if let dry = dryWater(features) { entries.append(Self.entry(dry, "dry at times")) }
        if let contours, let rule = style.contours {
            let stroke = Stroke(rule.color, width: rule.width.at(frame.zoom))
            entries.append(
                LegendEntry(
                    [SceneElement(shape: .polyline(Self.line, stroke))],
                    words: "contours every \(contours)"))
        }
        return entries
    }

    private static func entry(_ shapes: [SceneShape], _ words: String) -> LegendEntry {
        LegendEntry(shapes.map { SceneElement(shape: $0) }, words: words)
    }

    /// The sample of a way that is pale because walkers may not use it; `nil` if the picture has none.
    private func closedWay(_ features: [Int: [DrawnFeature]]) -> [SceneShape]? {
        for rule in style.lines
        where MapKinds.isRoad[rule.kind] && rule.zooms.contains(frame.zoom)
            && rule.width.at(frame.zoom) > 0.05
        {
            let closed = (features[rule.kind] ?? []).filter { $0.flags.contains(.isPrivate) }
            guard closed.contains(where: isLineShown) else { continue }
            return FeatureDrawing(frame: frame, style: style).sample(rule, Self.line, flags: .isPrivate)
        }
        return nil
    }

    /// The sample of water that is there at times only; `nil` if the picture has none.
    private func dryWater(_ features: [Int: [DrawnFeature]]) -> [SceneShape]? {
        let drawing = FeatureDrawing(frame: frame, style: style)
        func dry(_ kind: Int) -> [DrawnFeature] {
            (features[kind] ?? []).filter { $0.flags.contains(.intermittent) }
        }
        for rule in style.areas where rule.isAbove && rule.zooms.contains(frame.zoom) {
            guard dry(rule.kind).contains(where: isAreaShown) else { continue }
            return [drawing.area([Self.box.corners], rule, flags: .intermittent)]
        }
        for rule in style.lines
        where rule.isBelow && rule.zooms.contains(frame.zoom) && rule.width.at(frame.zoom) > 0.05 {
            guard dry(rule.kind).contains(where: isLineShown) else { continue }
            return drawing.sample(rule, Self.line, flags: .intermittent)
        }
        return nil
    }

    private static let line = [
        ScenePoint(-LegendEntry.sample.width / 2, 0), ScenePoint(LegendEntry.sample.width / 2, 0),
    ]
    private static let box = SceneRect(
        x: -LegendEntry.sample.width / 2, y: -LegendEntry.sample.height / 2, width: LegendEntry.sample.width,
        height: LegendEntry.sample.height)

    /// The sample of a kind; `nil` if the picture does not show it.
    private func sample(of kind: Int, _ features: [DrawnFeature], _ symbols: Set<Int>) -> [SceneShape]? {
        let zoom = frame.zoom
        switch MapKinds.all[kind].shape {
        case .point:
            guard symbols.contains(kind),
                let rule = style.symbols.first(where: { $0.kind == kind && $0.zooms.contains(zoom) })
            else { return nil }
            let size = min(rule.size.at(zoom), Self.largestSymbol)
            return rule.shape.shapes(
                at: ScenePoint(0, 0), size: size, color: rule.color, halo: style.halo)
        case .line:
            guard let rule = style.lines.first(where: { $0.kind == kind && $0.zooms.contains(zoom) }),
                rule.width.at(zoom) > 0.05, features.contains(where: isLineShown)
            else { return nil }
            return FeatureDrawing(frame: frame, style: style).sample(rule, Self.line)
        case .area:
            if let rule = style.areas.first(where: { $0.kind == kind && $0.zooms.contains(zoom) }) {
                guard features.contains(where: isAreaShown) else { return nil }
                let edge = rule.edge.map { Stroke($0, width: rule.width.at(zoom)) }
                return [.polygon([Self.box.corners], fill: Fill(rule.fill), stroke: edge)]
            }
            guard let rule = style.outlines.first(where: { $0.kind == kind && $0.zooms.contains(zoom) }),
                features.contains(where: isLineShown)
            else { return nil }
            let stroke = Stroke(
                rule.color, width: rule.width.at(zoom), dash: rule.dash, opacity: rule.opacity)
            return [.polyline(Self.line, stroke)]
        }
    }

    private func isLineShown(_ feature: DrawnFeature) -> Bool {
        let picture = frame.rect(margin: 0)
        return feature.parts.contains { !SceneClipping.line(frame.line($0), in: picture).isEmpty }
    }

    private func isAreaShown(_ feature: DrawnFeature) -> Bool {
        let picture = frame.rect(margin: 0)
        return feature.parts.contains { SceneClipping.area(frame.line($0), in: picture).count > 2 }
    }
}
