import Core

/// The encoding of features: varints, delta-coded coordinates, grouped by kind.
enum FeatureCoding {
    /// Decodes features; `nil` if the bytes are damaged. `kinds` are the kinds of the file by number;
    /// unknown kinds are skipped.
    static func features(_ bytes: [UInt8], level: Int, kinds: [Int?]) -> [DrawnFeature]? {
        var reader = VarintReader(bytes)
        let shift = Int32(MapLevel.worldBits - MapLevel.all[level].bits)
        // Coordinates are rounded down; adding half a unit restores the mean.
        let half = shift > 0 ? Int32(1) << (shift - 1) : 0
        var last = (x: 0, y: 0)
        func point() -> MapPoint? {
            guard let dx = reader.signed(), let dy = reader.signed() else { return nil }
            last = (last.x &+ dx, last.y &+ dy)
            let limit = 1 << MapLevel.all[level].bits
            guard (-1...limit).contains(last.x), (-1...limit).contains(last.y) else { return nil }
            return MapPoint(x: (Int32(last.x) &<< shift) &+ half, y: (Int32(last.y) &<< shift) &+ half)
        }
        guard let count = reader.unsigned(), count <= bytes.count else { return nil }
        var features: [DrawnFeature] = []
        features.reserveCapacity(count)
        for _ in 0..<count {
            guard let kind = reader.unsigned(), let flag = reader.unsigned(), flag < 256,
                let layer = reader.signed()
            else { return nil }
            let flags = MapFlags(rawValue: UInt8(flag))
            var (name, value, place): (String?, Int?, MapPoint?)
            if flags.contains(.hasName) {
                name = reader.text()
                if name == nil { return nil }
            }
            if flags.contains(.hasValue) {
                value = reader.signed()
                if value == nil { return nil }
            }
            if flags.contains(.hasPlace) {
                place = point()
                if place == nil { return nil }
            }
            guard let partCount = reader.unsigned(), partCount <= reader.rest else { return nil }
            var parts: [[MapPoint]] = []
            parts.reserveCapacity(partCount)
            var box = MapBox()
            for _ in 0..<partCount {
                guard let length = reader.unsigned(), length <= reader.rest else { return nil }
                var part: [MapPoint] = []
                part.reserveCapacity(length)
                for _ in 0..<length {
                    guard let point = point() else { return nil }
                    box.add(point)
                    part.append(point)
                }
                parts.append(part)
            }
            guard kind < kinds.count, let known = kinds[kind] else { continue }
            features.append(
                DrawnFeature(
                    kind: known, flags: flags, layer: layer, name: name, value: value, place: place,
                    parts: parts, box: box))
        }
        return features
    }
}

/// Encodes features at the detail of a level.
struct FeatureWriter {
    private var writer = VarintWriter()
    private let shift: Int32
    private var last = MapPoint(x: 0, y: 0)
    /// The box around the features.
    private(set) var box = MapBox()
    var bytes: [UInt8] { writer.bytes }

    /// Begins with the number of features that follow.
    init(count: Int, level: Int) {
        shift = Int32(MapLevel.worldBits - MapLevel.all[level].bits)
        writer.unsigned(count)
    }

    mutating func add(_ features: PackedFeatures, _ feature: Int, _ names: TextTable) {
        let head = features.heads[feature]
        var flags = MapFlags(rawValue: head.flags)
        if head.name >= 0 { flags.insert(.hasName) }
        if head.value != nil { flags.insert(.hasValue) }
        if head.place != nil { flags.insert(.hasPlace) }
        writer.unsigned(Int(head.kind))
        writer.unsigned(Int(flags.rawValue))
        writer.signed(Int(head.layer))
        if head.name >= 0 { names.withText(head.name) { writer.text($0) } }
        if let value = head.value { writer.signed(value) }
        if let place = head.place { add(place) }
        let parts = features.parts(of: feature)
        writer.unsigned(parts.count)
        for part in parts {
            features.withPart(part) { points in
                writer.unsigned(points.count)
                for point in points {
                    box.add(point)
                    add(point)
                }
            }
        }
    }

    private mutating func add(_ point: MapPoint) {
        let (x, y) = (point.x >> shift, point.y >> shift)
        writer.signed(Int(x) - Int(last.x))
        writer.signed(Int(y) - Int(last.y))
        last = MapPoint(x: x, y: y)
    }
}

/// Writes varints, seven bits per byte.
struct VarintWriter {
    private(set) var bytes: [UInt8] = []

    mutating func unsigned(_ value: Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func signed(_ value: Int) { unsigned((value << 1) ^ (value >> (Int.bitWidth - 1))) }

    mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
        unsigned(utf8.count)
        bytes.append(contentsOf: utf8)
    }
}

/// Reads the output of `VarintWriter`; `nil` at the end.
struct VarintReader {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of remaining bytes.
    var rest: Int { bytes.count - next }

    mutating func unsigned() -> Int? {
        var (value, shift): (UInt, UInt) = (0, 0)
        while next < bytes.count, shift < 64 {
            let byte = bytes[next]
            next += 1
            value |= UInt(byte & 127) << shift
            if byte < 128 { return value <= UInt(Int.max) ? Int(value) : nil }
            shift += 7
        }
        return nil
    }

    mutating func signed() -> Int? {
        guard let value = unsigned() else { return nil }
        return (value >> 1) ^ -(value & 1)
    }

    mutating func text() -> String? {
        guard let count = unsigned(), count <= rest else { return nil }
        defer { next += count }
        return String(decoding: bytes[next..<next + count], as: UTF8.self)
    }
}
