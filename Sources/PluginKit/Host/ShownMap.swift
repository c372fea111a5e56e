import Geodesy
import Synchronization

/// The last map shown in the session; searches prefer its area.
public final class ShownMap: Sendable {
    /// A map view.
    public struct View: Sendable, Hashable {
        /// The centre.
        public let center: Coordinate
        /// Web Mercator zoom, 0…22.
        public let zoom: Double

        /// Creates a view.
        public init(center: Coordinate, zoom: Double) { (self.center, self.zoom) = (center, zoom) }
    }

    private let state = Mutex<View?>(nil)

    /// No map was shown yet.
    public init() {}

    /// The last view; `nil` before the first map.
    public var view: View? { state.withLock { $0 } }

    /// Records a map's view.
    public func show(_ view: View) { state.withLock { $0 = view } }
}
