import PluginKit

/// What a route consists of: its length by the value of a property of its ways.
enum RouteMakeup: String, CaseIterable, Sendable {
    case surface
    case grade
    case way
    case smoothness
    case visibility
    case access

    static let columns = ["value", "distance", "share", "gain", "loss", "duration"]

    /// What a value is, for completion.
    var summary: String {
        switch self {
        case .surface: "what one walks on"
        case .grade: "the SAC scale, T1 to T6"
        case .way: "kind of way, such as path or residential"
        case .smoothness: "how even it is, for wheels"
        case .visibility: "how well the trail is seen"
        case .access: "what restricts access"
        }
    }

    /// The value of a piece of way; `nil` where it is not stated.
    private func value(_ edge: RouteEdge) -> String? {
        switch self {
        case .surface: edge.surface
        case .grade: edge.kind.sac.map { "T\($0.grade)" } ?? edge.sac
        case .way: edge.highway ?? edge.kind.obstacle
        case .smoothness: edge.kind.value("smoothness")
        case .visibility: edge.kind.value("trail_visibility")
        case .access: edge.restriction
        }
    }

    private struct Sum {
        var distance = 0.0
        var gain = 0.0
        var loss = 0.0
        var duration = 0.0
        var hasHeights = true
    }

    /// A row for each value, the longest first.
    func table(_ edges: [RouteEdge]) -> Value {
        var sums: [String?: Sum] = [:]
        for edge in edges {
            var sum = sums[value(edge)] ?? Sum()
            sum.distance += edge.distance
            sum.duration += edge.duration
            if edge.hasHeights {
                sum.gain += edge.gain
                sum.loss += edge.loss
            } else {
                sum.hasHeights = false
            }
            sums[value(edge)] = sum
        }
        let length = edges.reduce(0) { $0 + $1.distance }
        let ordered = sums.sorted { ($1.value.distance, $0.key ?? "") < ($0.value.distance, $1.key ?? "") }
        return .table(
            columns: Self.columns,
            cells: ordered.map { value, sum in
                [
                    Value(value, Value.text), .quantity(.metres(sum.distance)),
                    .quantity(.share(length > 0 ? (sum.distance / length * 100).rounded() / 100 : 0)),
                    sum.hasHeights ? .quantity(.climb(sum.gain)) : .nothing,
                    sum.hasHeights ? .quantity(.climb(sum.loss)) : .nothing,
                    .quantity(.seconds(sum.duration.rounded())),
                ]
            })
    }
}
