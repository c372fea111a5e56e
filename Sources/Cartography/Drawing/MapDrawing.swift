import Core
import Foundation
import Geodesy
import Pictures

/// Draws the map of a region as elements of a scene.
struct MapDrawing {
    let table: MapTable
    let style: MapStyle
    let view: MapView
    /// The areas that labels avoid.
    var blocked: LabelObstacles = []
    /// The units of heights.
    var units = ScaleUnits.metric
    /// Whether labels and symbols are drawn.
    var hasLabels = true
    /// Whether relief and contours are drawn.
    var hasRelief = true
    /// Whether a legend is drawn.
    var hasLegend = true
    /// Whether steep slopes are shaded.
    var hasSlopes = false

    /// The margin around the picture in which labels are placed: those that extend into it, and those that
    /// compete for space.
    private static let labelMargin = 160.0

    /// The visible area.
    func drawn() throws -> GroundDrawing {
        let frame = MapProjection(view)
        var features: [Int: [DrawnFeature]] = [:]
        let drawn = kinds()
        try table.features(
            level: MapLevel.serving(view.zoom), in: frame, margin: hasLabels ? Self.labelMargin : 24
        ) { feature in
            guard drawn.contains(feature.kind) else { return }
            features[feature.kind, default: []].append(feature)
        }
        let drawing = FeatureDrawing(frame: frame, style: style)
        var elements = try drawing.areas(features, above: false)
        var contourLabels: [ContourLabel] = []
        var contourStep: String?
        var hasHeights = false
        var slopeLegend: [LegendEntry] = []
        var notice: String?
        if hasRelief, let grid = table.facts.grid {
            let relief = ReliefDrawing(
                table: table, grid: grid, frame: frame, style: style, units: units,
                sea: Self.sea(features))
            let made = try relief.draw()
            elements += made.elements
            hasHeights = !made.elements.isEmpty
            if hasSlopes {
                let slopes = try relief.slopes()
                if let slopes { elements.append(slopes.element) }
                slopeLegend = slopes?.legend ?? []
                hasHeights = hasHeights || slopes != nil
                notice = Self.notice(slopes?.isPartlyUnknown)
            }
            contourLabels = made.labels
            contourStep = made.step
        }
        elements += try drawing.lines(features, belowAreas: true)
        elements += try drawing.areas(features, above: true)
        elements += try drawing.lines(features, belowAreas: false)
        var names: (elements: [SceneElement], symbols: Set<Int>) = ([], [])
        if hasLabels {
            let labels = LabelDrawing(frame: frame, style: style, blocked: blocked, units: units)
            names = try labels.elements(features, contours: contourLabels)
        }
        let legend =
            hasLegend
            ? LegendDrawing(frame: frame, style: style).entries(
                features, symbols: names.symbols, contours: contourStep) : []
        var ground = GroundDrawing(
            color: style.ground, elements: elements, labels: names.elements, legend: legend + slopeLegend)
        ground.notice = notice
        ground.attribution = [table.facts.credit, hasHeights ? table.facts.heightCredit : nil]
            .compactMap(\.self).joined(separator: MapFact.creditSeparator)
        return ground
    }

    /// What is unknown of slopes; `isPartlyUnknown` is `nil` for no heights at all.
    private static func notice(_ isPartlyUnknown: Bool?) -> String? {
        switch isPartlyUnknown {
        case nil: "no heights are known in view, or the view is too large for slopes; none are shaded"
        case true?: "heights are unknown in a part of the view; slopes there are not shaded"
        case false?: nil
        }
    }

    /// The rings of each sea.
    private static func sea(_ features: [Int: [DrawnFeature]]) -> [[[MapPoint]]] {
        MapKinds.byName[MapKinds.sea].flatMap { features[$0] }?.map(\.parts) ?? []
    }

    /// The kinds that the style draws at this zoom.
    private func kinds() -> Set<Int> {
        let zoom = view.zoom
        var kinds: Set<Int> = []
        for rule in style.areas where rule.zooms.contains(zoom) { kinds.insert(rule.kind) }
        for rule in style.outlines + style.lines where rule.zooms.contains(zoom) { kinds.insert(rule.kind) }
        guard hasLabels else { return kinds }
        for rule in style.symbols where rule.zooms.contains(zoom) { kinds.insert(rule.kind) }
        for rule in style.labels where rule.zooms.contains(zoom) { kinds.insert(rule.kind) }
        return kinds
    }
}
