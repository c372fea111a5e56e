/// The space taken above a base map: its labels stay clear of the boxes, and avoid crossing the routes.
public struct LabelObstacles: Sendable, ExpressibleByArrayLiteral {
    package var boxes: [SceneRect]
    package var routes = LineObstacles()

    /// Boxes alone.
    public init(arrayLiteral boxes: SceneRect...) { self.boxes = boxes }

    init(_ boxes: [SceneRect], routes: LineObstacles) {
        self.boxes = boxes
        self.routes = routes
    }

    /// With more boxes.
    public static func + (room: LabelObstacles, boxes: [SceneRect]) -> LabelObstacles {
        LabelObstacles(room.boxes + boxes, routes: room.routes)
    }
}
