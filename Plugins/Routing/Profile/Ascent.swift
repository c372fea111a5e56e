/// Sums climbing and descending between turning points that differ by at least a hysteresis.
///
/// Method: the zigzag of the heights. A low is a turning point once the way has risen above it by the hysteresis,
/// a high once it has fallen below it; whole rises and falls between turning points count. Read backwards, gain
/// and loss change places.
public struct Ascent: Sendable, Hashable {
    private enum Trend {
        case unknown, up, down
    }

    private let hysteresis: Double
    private var trend = Trend.unknown
    /// Rises and falls that are complete.
    private var climbed = 0.0
    private var descended = 0.0
    /// Where the present rise or fall began, and the farthest it came; while the trend is unknown, low and high.
    private var turningPoint: Double?
    private var extreme = 0.0

    /// Nothing climbed yet.
    public init(hysteresis: Double) { self.hysteresis = hysteresis }

    /// Metres climbed.
    public var gain: Double { trend == .up ? climbed + extreme - (turningPoint ?? extreme) : climbed }
    /// Metres descended.
    public var loss: Double { trend == .down ? descended + (turningPoint ?? extreme) - extreme : descended }

    /// Takes the next height.
    public mutating func add(_ elevation: Double) {
        guard let from = turningPoint else {
            turningPoint = elevation
            extreme = elevation
            return
        }
        switch trend {
        case .unknown: begin(elevation, low: from)
        case .up where elevation >= extreme, .down where elevation <= extreme: extreme = elevation
        case .up where extreme - elevation >= hysteresis:
            climbed += extreme - from
            turn(to: .down, at: elevation)
        case .down where elevation - extreme >= hysteresis:
            descended += from - extreme
            turn(to: .up, at: elevation)
        case .up, .down: break
        }
    }

    private mutating func begin(_ elevation: Double, low: Double) {
        if elevation - low >= hysteresis {
            trend = .up
            extreme = elevation
        } else if extreme - elevation >= hysteresis {
            trend = .down
            turningPoint = extreme
            extreme = elevation
        } else {
            turningPoint = min(low, elevation)
            extreme = max(extreme, elevation)
        }
    }

    private mutating func turn(to direction: Trend, at elevation: Double) {
        trend = direction
        turningPoint = extreme
        extreme = elevation
    }
}
