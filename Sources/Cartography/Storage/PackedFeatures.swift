import Core

/// Features of a map in contiguous arrays, without an allocation for each: a country has tens of millions.
///
/// A feature consists of parts, and a part of points; both are ranges of arrays.
struct PackedFeatures: Sendable {
    /// The properties of a feature.
    struct Head: BitwiseCopyable, Sendable {
        /// The index among `MapKinds.all`.
        var kind: UInt16
        var flags: UInt8
        var layer: Int8
        /// An index into the table of names; −1 for none.
        var name: Int32 = -1
        private var storedValue = Int32.min
        private var storedPlace = MapPoint(x: .min, y: .min)
        fileprivate(set) var firstPart: UInt32 = 0

        init(kind: Int, flags: MapFlags = [], layer: Int = 0) {
            self.kind = UInt16(kind)
            self.flags = flags.rawValue
            self.layer = Int8(layer)
        }

        /// See `DrawnFeature.value`.
        var value: Int? {
            get { storedValue == .min ? nil : Int(storedValue) }
            set { storedValue = newValue.map { Int32(clamping: $0) } ?? .min }
        }

        /// See `DrawnFeature.place`.
        var place: MapPoint? {
            get { storedPlace.x == .min ? nil : storedPlace }
            set { storedPlace = newValue ?? MapPoint(x: .min, y: .min) }
        }
    }

    private(set) var heads: [Head] = []
    private var firstPoint: [UInt32] = [0]
    private var points: [MapPoint] = []

    var count: Int { heads.count }
    var partCount: Int { firstPoint.count - 1 }

    /// The number of points and parts that indexes can address.
    static let most = Int(UInt32.max)

    /// Whether there are more than indexes can address; if so, nothing is valid.
    var isOverfull: Bool { points.count > Self.most || partCount > Self.most }

    /// Begins a feature; the parts that are added next belong to it.
    mutating func begin(_ head: Head) {
        var head = head
        head.firstPart = UInt32(truncatingIfNeeded: partCount)
        heads.append(head)
    }

    /// Adds a part to the last feature.
    mutating func add(_ part: some Collection<MapPoint>) {
        points.append(contentsOf: part)
        firstPoint.append(UInt32(truncatingIfNeeded: points.count))
    }

    /// Removes the last feature.
    mutating func removeLast() {
        guard let last = heads.popLast() else { return }
        firstPoint.removeLast(partCount - Int(last.firstPart))
        points.removeLast(points.count - Int(firstPoint[firstPoint.count - 1]))
    }

    mutating func removeAll() {
        heads.removeAll(keepingCapacity: true)
        firstPoint.removeLast(partCount)
        points.removeAll(keepingCapacity: true)
    }

    /// The parts of a feature.
    func parts(of feature: Int) -> Range<Int> {
        Int(heads[feature].firstPart)..<(feature + 1 < count ? Int(heads[feature + 1].firstPart) : partCount)
    }

    func pointCount(of part: Int) -> Int { Int(firstPoint[part + 1] - firstPoint[part]) }

    /// Calls `body` with the points of a part.
    @inline(__always)
    func withPart<T>(_ part: Int, _ body: (UnsafeBufferPointer<MapPoint>) throws -> T) rethrows -> T {
        let range = Int(firstPoint[part])..<Int(firstPoint[part + 1])
        return try points.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// The points of a part.
    func part(_ part: Int) -> ArraySlice<MapPoint> {
        points[Int(firstPoint[part])..<Int(firstPoint[part + 1])]
    }

    /// The box around a feature.
    func box(of feature: Int) -> MapBox {
        var box = MapBox()
        let parts = parts(of: feature)
        for point in points[Int(firstPoint[parts.lowerBound])..<Int(firstPoint[parts.upperBound])] {
            box.add(point)
        }
        return box
    }

    /// The box around a part.
    func box(ofPart part: Int) -> MapBox {
        var box = MapBox()
        for point in self.part(part) { box.add(point) }
        return box
    }
}
