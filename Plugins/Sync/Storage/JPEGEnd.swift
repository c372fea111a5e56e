/// Whether a JPEG reaches its end, found in its bytes as they are read: segments up to a scan, then the mark of the end
/// (ITU T.81, B.1). What stands behind that, such as the film of a moving photo, is no part of it.
///
/// Other formats, and bytes that are no segment where one must begin, say nothing.
struct JPEGEnd {
    private enum Place {
        /// In the two bytes that every JPEG begins with.
        case start
        /// Before a marker, and between its two bytes.
        case marker
        case code
        /// In the two bytes of a segment's length.
        case length(code: UInt8, high: UInt8?)
        /// In a segment, before its last bytes.
        case segment(code: UInt8, left: Int)
        /// In a scan, and behind a byte of it that may begin a marker.
        case scan
        case scanCode
        case end
        /// It is no JPEG, or not one that can be followed.
        case unknown
    }

    private enum Code {
        static let start: UInt8 = 0xD8
        static let end: UInt8 = 0xD9
        static let scan: UInt8 = 0xDA
        static let restarts = UInt8(0xD0)...0xD7
        static let fill: UInt8 = 0xFF
        /// In a scan, a byte 0xFF that is no marker.
        static let stuffed: UInt8 = 0
        static let temporary: UInt8 = 1
    }

    private var place = Place.start
    private var count = 0

    /// Whether it is a JPEG whose end is missing.
    var isCut: Bool {
        switch place {
        case .start: count > 0
        case .marker, .code, .length, .segment, .scan, .scanCode: true
        case .end, .unknown: false
        }
    }

    /// Reads the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            switch place {
            case .end, .unknown: return
            case .segment(let code, let left):
                let skipped = min(left, bytes.count - index)
                index += skipped
                place = skipped < left ? .segment(code: code, left: left - skipped) : after(code)
            case .scan:
                guard let next = bytes[index...].firstIndex(of: Code.fill) else { return }
                index = next + 1
                place = .scanCode
            default:
                place = next(bytes[index])
                index += 1
            }
        }
    }

    private mutating func next(_ byte: UInt8) -> Place {
        switch place {
        case .start:
            count += 1
            guard byte == (count == 1 ? Code.fill : Code.start) else { return .unknown }
            return count == 1 ? .start : .marker
        case .marker: return byte == Code.fill ? .code : .unknown
        case .code:
            switch byte {
            case Code.fill: return .code
            case Code.end: return .end
            case Code.start, Code.temporary, Code.restarts: return .marker
            case Code.stuffed: return .unknown
            case _: return .length(code: byte, high: nil)
            }
        case .length(let code, nil): return .length(code: code, high: byte)
        case .length(let code, let high?):
            let left = Int(high) << 8 + Int(byte) - 2
            return left < 0 ? .unknown : left == 0 ? after(code) : .segment(code: code, left: left)
        case .scanCode:
            switch byte {
            case Code.fill: return .scanCode
            case Code.end: return .end
            case Code.stuffed, Code.restarts: return .scan
            case _: return .length(code: byte, high: nil)
            }
        case .segment, .scan, .end, .unknown: return place
        }
    }

    private func after(_ code: UInt8) -> Place { code == Code.scan ? .scan : .marker }
}
