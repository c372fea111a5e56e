/// What lies over a map: labels of the map stay clear of its boxes, and rather stand beside its routes than across them.
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
