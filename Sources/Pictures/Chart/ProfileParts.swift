/// A height along a way.
public struct ProfilePoint: Sendable, Hashable {
    /// Metres from the start.
    public var distance: Double
    /// Metres above the sea.
    public var elevation: Double
    /// Whether it lies on a bridge, in a tunnel or on a ferry, where the height is that between the ends.
    public var isInterpolated: Bool

    /// Makes a point.
    public init(distance: Double, elevation: Double, isInterpolated: Bool = false) {
        self.distance = distance
        self.elevation = elevation
        self.isInterpolated = isInterpolated
    }
}

/// Collects the known heights along a way in parts: a profile must not join what was recorded apart, nor invent a slope where
/// heights are unknown.
public struct ProfileParts<Point: Sendable>: Sendable {
    /// The parts with a point, in order.
    public var parts: [[Point]] { all.filter { !$0.isEmpty } }

    private var all: [[Point]] = [[]]
    private var last = -Double.infinity
    private var isUnknown = false

    /// Starts without points.
    public init() {}

    /// Ends the current part: a segment begins.
    public mutating func begin() {
        if all.last?.isEmpty == false { all.append([]) }
        isUnknown = false
    }

    /// Adds a point at a distance in metres; `nil` where its height is unknown. A short stretch without heights is bridged, as
    /// some devices write a height with some of the points.
    public mutating func add(_ point: Point?, at distance: Double) {
        guard let point else {
            isUnknown = true
            return
        }
        if isUnknown, distance - last > ProfileSettings.longestBridge { begin() }
        all[all.count - 1].append(point)
        (last, isUnknown) = (distance, false)
    }
}

/// Constants of profiles.
enum ProfileSettings {
    /// Metres without known heights up to which the line is continued.
    static let longestBridge = 250.0
}
