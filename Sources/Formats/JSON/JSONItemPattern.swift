/// How the items of a list of objects or of lists begin and end, by which the next one is found behind a fault.
struct JSONItemPattern {
    /// What the items are.
    private enum Kind {
        case objects, lists
    }

    private var kind: Kind?
    /// The brace, the first key and the colon of an object.
    private var opening: Range<Int>?
    /// Whether an item has lists of its own kind in it, whose ends do not end this list.
    private(set) var isNested = true
    private var isEnded = false

    /// Whether there is anything to go by.
    var isKnown: Bool { kind == .lists || opening != nil }

    /// Whether the items are lists.
    var isOfLists: Bool { kind == .lists }

    /// Whether the items are objects, which begin with a known key.
    var isOfObjects: Bool { opening != nil }

    /// Notes how an item begins, until that is known.
    mutating func begin(in bytes: UnsafeBufferPointer<UInt8>, at start: Int, after last: JSONTree?) {
        guard !isKnown, start < bytes.count else { return }
        switch last {
        case nil, .object?: break
        default: return
        }
        switch bytes[start] {
        case UInt8(ascii: "{"):
            kind = .objects
            opening = Self.opening(in: bytes, at: start)
        case UInt8(ascii: "["):
            kind = .lists
            // Numbers alone, as in a position: the first fault may be in the first item.
            isNested = Self.nextSign(in: bytes, at: start + 1).map { !Self.isNumeric($0) } ?? true
        default: kind = nil
        }
    }

    /// Notes what the first item holds.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, _ item: Range<Int>) {
        guard !isEnded, isKnown, item.count > 2 else { return }
        isEnded = true
        let inner = kind == .objects ? UInt8(ascii: "{") : UInt8(ascii: "[")
        isNested = item.dropFirst().contains { index in
            bytes[index] == inner && Self.lastSign(in: bytes, before: index) == UInt8(ascii: "[")
        }
    }

    /// The next item from an offset on, or the bracket that ends the list, if `isEnd` agrees; `nil` if there is neither.
    func next(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, isEnd: (Int) -> Bool
    ) -> (place: Int, isItem: Bool)? {
        guard isKnown else { return nil }
        let open = kind == .objects ? UInt8(ascii: "{") : UInt8(ascii: "[")
        let close = kind == .objects ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let wanted = opening.map { bytes[$0] }
        for place in start..<max(start, bytes.count) {
            // Behind a key, other lists follow.
            if kind == .lists, !isNested, bytes[place] == UInt8(ascii: ":"),
                Self.lastSign(in: bytes, before: place) == UInt8(ascii: "\"")
            {
                return nil
            }
            if bytes[place] == open, Self.lastSign(in: bytes, before: place) == UInt8(ascii: ",") {
                if let wanted, bytes[place...].starts(with: wanted) { return (place, true) }
                // Another key may be the first of an item.
                if !isNested, kind == .lists || Self.sign(in: bytes, beforeCommaBefore: place) == close {
                    return (place, true)
                }
            }
            if !isNested, bytes[place] == UInt8(ascii: "]"), place > start,
                Self.lastSign(in: bytes, before: place) == close, isEnd(place)
            {
                return (place, false)
            }
        }
        return nil
    }

    // MARK: Bytes

    private static func opening(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Range<Int>? {
        guard nextSign(in: bytes, at: start + 1) == UInt8(ascii: "\""),
            let colon = bytes[start...].prefix(JSONSettings.longestOpening).firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return start..<colon + 1
    }

    private static func isNumeric(_ sign: UInt8) -> Bool {
        sign == UInt8(ascii: "-") || (48...57).contains(sign)
    }

    /// The first byte from an offset on that is no blank.
    private static func nextSign(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt8? {
        guard start < bytes.count else { return nil }
        return bytes[start...].first { $0 > 0x20 }
    }

    /// The last byte before an offset that is no blank.
    private static func lastSign(in bytes: UnsafeBufferPointer<UInt8>, before place: Int) -> UInt8? {
        bytes[..<place].last { $0 > 0x20 }
    }

    /// The last byte before the comma that stands before an offset.
    private static func sign(
        in bytes: UnsafeBufferPointer<UInt8>, beforeCommaBefore place: Int
    ) -> UInt8? {
        guard let comma = bytes[..<place].lastIndex(where: { $0 > 0x20 }) else { return nil }
        return lastSign(in: bytes, before: comma)
    }
}
