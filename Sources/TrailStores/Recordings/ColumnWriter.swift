import Formats

/// The columns of points, one after the other.
///
/// A column is a byte (0: no point has a value, and nothing follows; 1: all have; 2: a bitmap follows), the byte of
/// its `ColumnScale` (a time has none: milliseconds), the number of planes, the first word, and the differences of
/// the other words from the previous one, zigzag-encoded and sorted by byte: the lowest bytes of all, then the next
/// ones, as many planes as the largest difference needs.
struct ColumnWriter {
    private let segments: [[GPXPoint]]
    private let count: Int
    private(set) var bytes: [UInt8] = [UInt8(RecordingSettings.version)]

    init(_ segments: [[GPXPoint]]) {
        self.segments = segments
        count = segments.reduce(0) { $0 + $1.count }
        append(UInt32(segments.count))
        for segment in segments { append(UInt32(segment.count)) }
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds a column without values.
    mutating func skip() { bytes.append(0) }

    /// Adds a column of numbers.
    @inline(__always)
    mutating func append(_ value: (GPXPoint) -> Double?) {
        let numbers = start(value)
        guard !numbers.isEmpty else { return }
        let scale = ColumnScale(numbers)
        bytes.append(scale.byte)
        append(words: scale.words(numbers))
    }

    /// Adds a column of times.
    mutating func append(milliseconds: (GPXPoint) -> Int64?) {
        let words = start { milliseconds($0).map(UInt64.init(bitPattern:)) }
        if !words.isEmpty { append(words: words) }
    }

    /// Begins a column, and returns the values that are known.
    @inline(__always)
    private mutating func start<Number>(_ value: (GPXPoint) -> Number?) -> [Number] {
        var known: [Number] = []
        known.reserveCapacity(count)
        var bitmap = [UInt8](repeating: 0, count: (count + 7) / 8)
        var index = 0
        for segment in segments {
            for point in segment {
                if let number = value(point) {
                    bitmap[index >> 3] |= 1 << (index & 7)
                    known.append(number)
                }
                index += 1
            }
        }
        guard !known.isEmpty else {
            skip()
            return known
        }
        bytes.append(known.count == count ? 1 : 2)
        if known.count < count { bytes += bitmap }
        return known
    }

    private mutating func append(words: [UInt64]) {
        var steps: [UInt64] = []
        steps.reserveCapacity(words.count)
        var last = words[0]
        var all: UInt64 = 0
        for word in words.dropFirst() {
            let step = Zigzag.encoded(word &- last)
            steps.append(step)
            all |= step
            last = word
        }
        // At least one, so that the length bounds the number of points that a damaged stream can claim.
        let planes = max(1, (UInt64.bitWidth - all.leadingZeroBitCount + 7) / 8)
        bytes.append(UInt8(planes))
        append(words[0])
        for plane in 0..<planes {
            let shift = UInt64(8 * plane)
            bytes.append(contentsOf: steps.lazy.map { UInt8(truncatingIfNeeded: $0 >> shift) })
        }
    }
}

/// Signed differences as small unsigned numbers: 0, -1, 1, -2 become 0, 1, 2, 3.
enum Zigzag {
    static func encoded(_ difference: UInt64) -> UInt64 {
        difference << 1 ^ UInt64(bitPattern: Int64(bitPattern: difference) >> 63)
    }

    static func decoded(_ number: UInt64) -> UInt64 { number >> 1 ^ (0 &- (number & 1)) }
}
