/// Selects the points that remain of a line when all others are within a tolerance of it: Douglas and Peucker 1973,
/// without recursion, since a line of a million points may need that depth. Memory is reused from line to line.
public struct LineSimplification {
    /// A piece of the line between two kept points.
    public struct Piece: BitwiseCopyable, Sendable {
        /// The index of its first point.
        public var start: Int
        /// The index of its last point.
        public var end: Int
        /// The index of the point between them that is farthest from the chord.
        public var farthest: Int
        /// Its distance, as the metric measures it.
        public var distance: Double

        @inlinable @inline(__always)
        init(start: Int, end: Int, farthest: Int, distance: Double) {
            (self.start, self.end, self.farthest, self.distance) = (start, end, farthest, distance)
        }
    }

    /// Whether the point with each index remains.
    public private(set) var isKept: [Bool] = []
    @usableFromInline var waiting: [(start: Int, end: Int)] = []

    /// Without memory yet.
    public init() {}

    /// Determines which points remain; both ends do.
    ///
    /// - Parameters:
    ///   - count: The number of points.
    ///   - tolerance: The largest distance of a removed point, as the metric measures it.
    ///   - fixed: The index of a further point that remains, such as the farthest of a ring.
    ///   - metric: The distance of a point from the chord between two others, by their indices; any monotonic measure, such
    ///     as its square.
    ///   - visit: Called for each examined piece; its farthest point remains if it is beyond the tolerance.
    @inlinable @inline(__always)
    public mutating func run(
        count: Int, tolerance: Double, fixed: Int? = nil,
        metric: (_ point: Int, _ start: Int, _ end: Int) -> Double, visit: (Piece) -> Void = { _ in }
    ) {
        begin(count, fixed)
        while let (start, end) = waiting.popLast() {
            guard end - start > 1 else { continue }
            var piece = Piece(start: start, end: end, farthest: start, distance: -1)
            for index in start + 1..<end {
                let distance = metric(index, start, end)
                if distance > piece.distance { (piece.distance, piece.farthest) = (distance, index) }
            }
            visit(piece)
            guard piece.distance > tolerance else { continue }
            keep(piece.farthest)
            waiting.append((start, piece.farthest))
            waiting.append((piece.farthest, end))
        }
    }

    @usableFromInline
    mutating func begin(_ count: Int, _ fixed: Int?) {
        isKept.removeAll(keepingCapacity: true)
        isKept.append(contentsOf: repeatElement(false, count: count))
        waiting.removeAll(keepingCapacity: true)
        guard count > 0 else { return }
        (isKept[0], isKept[count - 1]) = (true, true)
        if let fixed {
            isKept[fixed] = true
            waiting.append((0, fixed))
            waiting.append((fixed, count - 1))
        } else {
            waiting.append((0, count - 1))
        }
    }

    @usableFromInline
    mutating func keep(_ index: Int) { isKept[index] = true }
}
