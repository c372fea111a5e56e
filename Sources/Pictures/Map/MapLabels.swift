import Geodesy

/// What was decided about a label.
package struct LabelChoice: Sendable, Hashable {
    /// The outcome.
    package enum Outcome: String, Sendable {
        /// Placed on the first free side that does not cross a route.
        case placed
        /// Placed on the first free side, across a route.
        case acrossRoute
        /// No free side.
        case noRoom
        /// Its point is outside the map.
        case outside
    }

    /// The label.
    package let text: String
    /// The outcome.
    package let outcome: Outcome
    /// The side: 1 right, 2 left, 3 below, 4 above, then above and below to the sides; `nil` if omitted.
    package let side: Int?
    /// Number of free sides of the eight.
    package let free: Int
}

/// Places labels beside pins and points: on the first free side, or omits them.
struct MapLabels {
    let view: MapView
    let features: [MapFeature]

    private struct LabelRequest {
        var text: String
        var anchor: ScenePoint
        /// The space of the labelled pin or point.
        var body: SceneRect
        var layer: Int
    }

    private static let gap = 4.0
    private static let size = PictureSettings.labelSize

    func add(
        to scene: inout Scene, avoiding blocked: [SceneRect], beside routes: LineObstacles,
        check: () throws -> Void,
        choice: ((LabelChoice) -> Void)? = nil
    ) rethrows {
        var taken = OccupancyGrid(size: view.size)
        for box in blocked { taken.add(box) }
        var requests: [LabelRequest] = []
        // If there are many ways, only signs distinguish their ends.
        let isCrowded = features.lazy.filter(\.isStart).dropFirst().first != nil
        for feature in features {
            try check()
            if var request = request(feature) {
                if isCrowded, feature.isEnd { request.text = "" }
                taken.add(request.body)
                requests.append(request)
            }
            if let body = body(feature) { taken.add(body) }
        }
        for request in requests where !request.text.isEmpty {
            guard view.visible.intersects(request.body) else {
                choice?(LabelChoice(text: request.text, outcome: .outside, side: nil, free: 0))
                continue
            }
            try check()
            let sides = sides(of: request)
            let free = sides.filter { side in
                view.visible.encloses(side.box) && !taken.meets(side.box)
            }
            // Prefer a side that does not cross the route.
            let beside = free.first { !routes.crosses($0.box) }
            let found = beside ?? free.first
            choice?(
                LabelChoice(
                    text: request.text,
                    outcome: beside != nil ? .placed : found != nil ? .acrossRoute : .noRoom,
                    side: found.flatMap { side in sides.firstIndex { $0.box == side.box } }.map { $0 + 1 },
                    free: free.count))
            guard let side = found else { continue }
            taken.add(side.box)
            scene.add(.text(side.text), z: request.layer)
        }
    }

    /// The lines of the routes.
    var routes: LineObstacles {
        var routes = LineObstacles()
        for feature in features { for run in mainLines(feature) { routes.add(run) } }
        return routes
    }

    /// The space of pins and points, with that of a label to their right.
    var bodies: [SceneRect] {
        features.compactMap(request).filter { view.visible.intersects($0.body) }.map { request in
            var body = request.body
            body.width += TextShape.estimatedWidth(of: request.text, size: Self.size)
            return body
        }
    }

    private func request(_ feature: MapFeature) -> LabelRequest? {
        switch feature {
        case .waypoint(let waypoint):
            guard waypoint.coordinate.isOnMercator else { return nil }
            let marker = Marker(
                at: view.point(for: waypoint.coordinate), color: waypoint.color, icon: "",
                isDisc: waypoint.isDisc)
            return LabelRequest(
                text: waypoint.label, anchor: marker.circleCenter, body: marker.bounds,
                layer: MapLayer.waypoint)
        case .point(let place, let style):
            guard place.isOnMercator else { return nil }
            let at = view.point(for: place)
            let side = style.radius * 2
            let body = SceneRect(x: at.x - style.radius, y: at.y - style.radius, width: side, height: side)
            return LabelRequest(text: style.label, anchor: at, body: body, layer: style.layer)
        case .badge(let place, let badge):
            guard place.isOnMercator, !badge.isRing else { return nil }
            let at = view.point(for: place)
            let side = badge.radius * 2
            // The disc has its own text; it only takes space.
            return LabelRequest(
                text: "", anchor: at,
                body: SceneRect(x: at.x - badge.radius, y: at.y - badge.radius, width: side, height: side),
                layer: badge.layer)
        default: return nil
        }
    }

    /// The space of unlabelled features that labels must not cover.
    private func body(_ feature: MapFeature) -> SceneRect? {
        guard case .position(let place, _, _) = feature, place.isOnMercator else { return nil }
        let at = view.point(for: place)
        let radius = MapTheme.positionRadius + MapTheme.positionEdge
        return SceneRect(x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius)
    }

    /// The routes and tracks, which labels avoid if possible.
    private func mainLines(_ feature: MapFeature) -> [[ScenePoint]] {
        switch feature {
        case .route(let line), .track(let line): view.runs(of: line)
        case .line(let line, let style) where style.layer >= MapLayer.route: view.runs(of: line)
        default: []
        }
    }

    private func sides(of request: LabelRequest) -> [(text: TextShape, box: SceneRect)] {
        let width = TextShape.estimatedWidth(of: request.text, size: Self.size)
        let body = request.body
        let middle = request.anchor.y + Self.size * 0.36
        let places: [(ScenePoint, TextAnchor)] = [
            (ScenePoint(body.maxX + Self.gap, middle), .start),
            (ScenePoint(body.x - Self.gap, middle), .end),
            (ScenePoint(body.center.x, body.maxY + Self.gap + Self.size * 0.8), .middle),
            (ScenePoint(body.center.x, body.y - Self.gap), .middle),
            // Above and below, to the sides: for pins close to the edge of the map or to others.
            (ScenePoint(body.maxX, body.y - Self.gap), .end),
            (ScenePoint(body.x, body.y - Self.gap), .start),
            (ScenePoint(body.maxX, body.maxY + Self.gap + Self.size * 0.8), .end),
            (ScenePoint(body.x, body.maxY + Self.gap + Self.size * 0.8), .start),
        ]
        return places.map { at, anchor in
            let left = anchor == .start ? at.x : anchor == .end ? at.x - width : at.x - width / 2
            let box = SceneRect(x: left, y: at.y - Self.size, width: width, height: Self.size * 1.3)
            return (TextShape(request.text, at: at, size: Self.size, anchor: anchor, halo: .white), box)
        }
    }
}

extension MapFeature {
    /// Its sign; `nil` for other features.
    private var sign: PointShape? {
        if case .point(_, let style) = self { return style.shape }
        return nil
    }

    /// Whether it is the sign at the beginning of a way.
    fileprivate var isStart: Bool { sign == .start || sign == .roundTrip }

    /// Whether it is a sign at an end of a way.
    fileprivate var isEnd: Bool { isStart || sign == .finish }
}
