/// The space taken above a base map: its labels stay clear of the boxes, and avoid crossing the routes.
public struct MapRoom: Sendable, ExpressibleByArrayLiteral {
    package var boxes: [SceneRect]
    package var routes = LineRoom()

    /// Boxes alone.
    public init(arrayLiteral boxes: SceneRect...) { self.boxes = boxes }

    init(_ boxes: [SceneRect], routes: LineRoom) {
        self.boxes = boxes
        self.routes = routes
    }

    /// With more boxes.
    public static func + (room: MapRoom, boxes: [SceneRect]) -> MapRoom {
        MapRoom(room.boxes + boxes, routes: room.routes)
    }
}
