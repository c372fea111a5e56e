import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws the state of a route search at a step.
struct SearchPicturing: SteppedMap {
    let graph: RoutingGraph
    let names: NodeNames
    let places: [Coordinate]

    /// The margin around the search in which the network is drawn, as a share of its size.
    private static let margin = 0.3

    let name = "frontier"
    let fieldNames = ["settled", "frontier", "node", "at", "f", "g", "h"]
    var chain: MapLineStyle { SearchLook.chain }

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        let counts = state(after: steps).counts
        return "\(counts.settled) settled, \(counts.frontier) in the frontier"
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        switch field {
        case "settled": .integer(state(after: steps).counts.settled)
        case "frontier": .integer(state(after: steps).counts.frontier)
        default: steps.last { $0.kind == "settle" || $0.kind == "climb" }?.values[field] ?? .nothing
        }
    }

    private func state(after steps: ArraySlice<TraceStep>) -> SearchMarks {
        var marks = SearchMarks(network: SearchNetwork(graph: graph, names: names, places: places))
        for step in steps { _ = marks.frame(of: step) }
        return marks
    }

    func frames(of steps: ArraySlice<TraceStep>) -> [PictureFrame] {
        var marks = SearchMarks(network: SearchNetwork(graph: graph, names: names, places: places))
        return steps.map { marks.frame(of: $0) }
    }

    /// The network around all nodes of the steps and the coordinates of the route.
    func ground(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let reached = steps.flatMap { step in
            ["node", "from"].compactMap { names.id(step.values[$0]) }.compactMap(graph.node(id:))
        }
        return NetworkDrawing(graph: graph).features(
            around: places + Set(reached).sorted().map(graph.coordinate(of:)), margin: Self.margin)
    }
}

/// The lines and points of a search. Shapes duplicate the meaning of colours.
enum SearchLook {
    static let forward = StepPalette.subject
    static let backward = StepPalette.accepted
    static let present = StepPalette.present
    static let ends = StepPalette.fixed
    /// The radius of nodes on maps with thousands of them.
    static let smallRadius = 2.0

    static let chain = MapLineStyle(
        stroke: Stroke(present, width: 5), layer: MapLayer.track, label: "cheapest way so far")
    static let found = MapLineStyle(
        stroke: Stroke(present, width: 5), layer: MapLayer.track, label: "way found")

    /// The line to a settled node, or to one of the frontier.
    static func line(_ side: SearchSide, isSettled: Bool) -> MapLineStyle {
        let color = side == .forward ? forward : backward
        let node = isSettled ? "settled node" : "node of the frontier"
        return MapLineStyle(
            stroke: Stroke(color, width: isSettled ? 3 : 2, dash: isSettled ? [] : [4, 3]),
            layer: MapLayer.route, label: "way to a \(node)" + (side == .forward ? "" : ", from the end")
        )
    }

    /// An arc of a hierarchy, which is not a line of the map.
    static func arc(_ side: SearchSide) -> MapLineStyle {
        MapLineStyle(
            stroke: Stroke(side == .forward ? forward : backward, width: 2.5, dash: [7, 3]),
            layer: MapLayer.route, label: side == .forward ? "arc up from the start" : "arc up from the end")
    }

    static func settled(_ side: SearchSide, _ label: String) -> MapPointStyle {
        side == .forward
            ? MapPointStyle(color: forward, radius: 4, symbol: "o", label: label, legend: "settled")
            : MapPointStyle(
                color: backward, radius: 4, shape: .square, symbol: "#", label: label,
                legend: "settled from the end")
    }

    static func frontier(_ side: SearchSide, _ label: String) -> MapPointStyle {
        side == .forward
            ? MapPointStyle(
                color: forward, radius: 4, shape: .ring, symbol: "*", label: label, legend: "frontier")
            : MapPointStyle(
                color: backward, radius: 4, shape: .box, symbol: "+", label: label,
                legend: "frontier from the end")
    }

    static func climbed(_ side: SearchSide, _ label: String) -> MapPointStyle {
        side == .forward
            ? MapPointStyle(color: forward, radius: 4.5, symbol: "o", label: label, legend: "above the start")
            : MapPointStyle(
                color: backward, radius: 4.5, shape: .square, symbol: "#", label: label,
                legend: "above the end")
    }

    static func present(_ label: String) -> MapPointStyle {
        MapPointStyle(
            color: present, radius: 6, shape: .diamond, symbol: "@", label: label, legend: "current",
            layer: MapLayer.point + 1)
    }

    static func meeting(_ label: String) -> MapPointStyle {
        MapPointStyle(
            color: present, radius: 8, shape: .ring, symbol: "&", label: label, legend: "best meeting so far",
            layer: MapLayer.point - 1)
    }

    static func end(_ word: String, label: String) -> MapPointStyle {
        MapPointStyle(
            color: ends, radius: 8, shape: word == "start" ? .triangle : word == "end" ? .square : .disc,
            symbol: word == "start" ? ">" : word == "end" ? "X" : "v", label: label, legend: word,
            layer: MapLayer.point - 2)
    }
}

/// The side of a search that a part belongs to.
enum SearchSide: String, Sendable {
    case forward
    case backward

    init(_ value: Value?) {
        if case .text(let text)? = value {
            self = SearchSide(rawValue: text) ?? .forward
        } else {
            self = .forward
        }
    }
}
