import Geodesy
import Synchronization

/// The map that the session showed last: what someone searches for next is likely to lie there.
public final class ShownMap: Sendable {
    /// A part of the world as a map shows it.
    public struct View: Sendable, Hashable {
        /// The middle.
        public let center: Coordinate
        /// Web Mercator zoom, 0…22.
        public let zoom: Double

        /// A part of the world.
        public init(center: Coordinate, zoom: Double) { (self.center, self.zoom) = (center, zoom) }
    }

    private let state = Mutex<View?>(nil)

    /// No map was shown yet.
    public init() {}

    /// What was shown last; `nil` before the first map.
    public var view: View? { state.withLock { $0 } }

    /// Remembers what a map shows.
    public func show(_ view: View) { state.withLock { $0 = view } }
}
